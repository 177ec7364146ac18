import type { Fetch, PetstoreClient, ResponseDetails } from "@petstore/client";
import { readRequest, type ApiRequest } from "../api-request.ts";
import type { ApiOptions } from "../command-line/api.ts";
import { openClient, type Context } from "../context.ts";
import { CommandError, exitCodes, UsageError, type Failure } from "../failure.ts";
import { isJson, type Format } from "../formats.ts";
import { keep, printFailed, printHead, type LastResponse } from "../last-response.ts";
import { fetchFor } from "../network.ts";
import { printPages, type Output } from "../output.ts";
import { openSelection } from "../selection.ts";
import { connectionSettings } from "../settings.ts";

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
  const first = await load(undefined).catch((error: unknown) => printFailed(context, options, last, error));
  if (first === undefined) return;
  await printHead(context, options, last);
  const format = isJson(setting?.value) ? (setting?.value as Format) : undefined;
  await printBodies(output, options, format, options.paginate === true ? followed(first, load) : [first], first.data);
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

const endless: Failure = {
  exitCode: exitCodes.server,
  code: "invalid_response",
  message: "The pages of this list are a circle: they have no end",
};

/**
 * The pages of a list. To notice a circle with constant memory, each page is compared with only one before: page 1, 2, 4, 8 and so on,
 * whichever was last (Brent's algorithm).
 */
async function* followed(first: Body, load: (next: string) => Promise<Body>): AsyncGenerator<Body> {
  let marked: string | undefined;
  let body = first;
  for (let number = 1; ; number++) {
    if (!Array.isArray(body.data)) throw new CommandError(noList);
    yield body;
    const { next } = body.response;
    if (next === undefined) return;
    if (next === marked) throw new CommandError(endless);
    if (Math.log2(number) % 1 === 0) marked = next;
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
