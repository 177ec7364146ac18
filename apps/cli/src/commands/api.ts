import { isPetstoreError, type Fetch, type PetstoreClient, type ResponseDetails } from "@petstore/client";
import { visible, visibleLines } from "@petstore/contract/visible";
import { readRequest, type ApiRequest } from "../api-request.ts";
import type { ApiOptions } from "../command-line/api.ts";
import { openClient, type Context } from "../context.ts";
import { CommandError, exitCodes, UsageError, type Failure } from "../failure.ts";
import { isJson, type Format } from "../formats.ts";
import { fetchFor } from "../network.ts";
import { printPages, type Output } from "../output.ts";
import { openSelection } from "../selection.ts";
import { connectionSettings, withoutKey } from "../settings.ts";
import { print } from "../terminal.ts";
import { headerLines, statusLine } from "../trace.ts";

export async function callApi(
  context: Context,
  method: string | undefined,
  path: string | undefined,
  options: ApiOptions,
): Promise<void> {
  const { terminal, settings } = context;
  using output = await openSelection(context, options);
  const setting = settings.values.output;
  if (setting?.origin === "flag --output" && !isJson(setting.value)) {
    throw new UsageError(`petstore api prints JSON: it cannot be used with --output ${setting.value}`);
  }
  const connection = connectionSettings(settings);
  const request = await readRequest(terminal, connection.baseUrl, [method, path], options);

  let last: LastResponse | undefined;
  const send = fetchFor(terminal, connection.baseUrl);
  const receive: Fetch = async (url, init) => {
    const response = (await send(url, init)) as Response;
    last = keep(response);
    return response;
  };
  const client = openClient(context, { ...connection, fetch: receive });
  const load = (next: string | undefined) => fetchBody(client, request, next, terminal.signal);
  const first = await load(undefined).catch(async (error: unknown) => {
    // An error response is data, too. `gh api` does the same.
    if (isPetstoreError(error) && "status" in error) await printLast(context, last, options);
    throw error;
  });
  await printLast(context, last, options, "");
  const format = isJson(setting?.value) ? (setting?.value as Format) : undefined;
  await printBodies(output, options, format, options.paginate === true ? followed(first, load) : [first], first.data);
}

/** What a client does not return of a response. */
interface LastResponse {
  head: string;
  /** The body of an error. */
  text: Promise<string>;
}

function keep(response: Response): LastResponse {
  const head = [statusLine(response), ...headerLines(response.headers), "", ""].map(visible).join("\n");
  // Read now: the client cancels what it does not read.
  const text = response.ok ? Promise.resolve("") : response.clone().text();
  return { head, text: text.catch(() => "") };
}

/** Prints what others may have written, without the key. */
async function printLast(
  { terminal: { stdout }, settings }: Context,
  last: LastResponse | undefined,
  { include = false }: ApiOptions,
  text?: string,
): Promise<void> {
  const body = withoutKey(settings, text ?? (await last?.text) ?? "");
  const shown = stdout.isTTY === true ? visibleLines(body) : body;
  const end = body === "" || body.endsWith("\n") ? "" : "\n";
  await print(stdout, (include ? withoutKey(settings, last?.head ?? "") : "") + shown + end);
}

interface Body {
  /** `undefined` if the response has none. */
  data: unknown;
  response: ResponseDetails;
}

/** @param next the path of a later page */
function fetchBody(
  client: PetstoreClient,
  { method, path, options }: ApiRequest,
  next: string | undefined,
  signal: AbortSignal,
): Promise<Body> {
  // The path of a later page has the whole query.
  const query = next === undefined ? options.query : {};
  return client.request(method, next ?? path, { ...options, query, signal }).withResponse();
}

const noList: Failure = {
  exitCode: exitCodes.unexpected,
  code: "no_list",
  message: "The response is not a list, so it has no pages",
  hint: "Send the request without --paginate",
};

/** The pages of a list. */
async function* followed(first: Body, load: (next: string) => Promise<Body>): AsyncGenerator<Body> {
  for (let body = first; ;) {
    if (!Array.isArray(body.data)) throw new CommandError(noList);
    yield body;
    const { next } = body.response;
    if (next === undefined) return;
    body = await load(next);
  }
}

/** Prints lists item by item. An expression of `--jq` gets whole responses, unless a format is chosen. */
async function printBodies(
  output: Output,
  { jq }: ApiOptions,
  format: Format | undefined,
  bodies: AsyncIterable<Body> | Iterable<Body>,
  first: unknown,
): Promise<void> {
  const isWhole = !Array.isArray(first) || (jq !== undefined && format === undefined);
  async function* pages(): AsyncGenerator<object[]> {
    for await (const { data } of bodies) {
      if (data !== undefined) yield isWhole ? [data as object] : (data as object[]);
    }
  }
  await printPages({ ...output, format: isWhole ? "ndjson" : (format ?? "json") }, {}, pages());
}
