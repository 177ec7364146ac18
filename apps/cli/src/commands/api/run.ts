import { request as send, type PetstoreClient, type ResponseDetails } from "@petstore/client";
import { openClient } from "../../connection/client.ts";
import { CommandError, exitCodes, UsageError } from "../../failure/failure.ts";
import { printPages, type Output } from "../../output/output.ts";
import { openSelection } from "../../output/selection.ts";
import { isJson, type Format } from "../../settings/definitions.ts";
import { connectionSettings } from "../../settings/settings.ts";
import type { Context } from "../../types.ts";
import { readRequest, type ApiOptions, type ApiRequest } from "./request.ts";

export async function callApi(
  context: Context,
  method: string | undefined,
  path: string | undefined,
  options: ApiOptions,
): Promise<void> {
  const { terminal, settings } = context;
  using output = await openSelection(context, options);
  const { output: setting } = settings.values;
  if (setting?.origin === "flag --output" && !isJson(setting.value)) {
    throw new UsageError(`petstore api prints JSON: it cannot be used with --output ${setting.value}`);
  }
  const connection = connectionSettings(settings);
  const request = await readRequest(terminal, connection.baseUrl, [method, path], options);
  const client = await openClient(context, connection);
  const load = (next?: string) => fetchBody(client, request, next, terminal.signal);
  const first = await load();
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
  return send(client, method, next ?? path, { ...options, query, signal }).withResponse();
}

/** The pages of a list. */
async function* followed(first: Body, load: (next: string) => Promise<Body>): AsyncGenerator<Body> {
  for (let body = first; ;) {
    if (!Array.isArray(body.data)) {
      throw new CommandError({
        exitCode: exitCodes.failed,
        code: "no_list",
        message: "The response is not a list, so it has no pages",
        hint: "Send the request without --paginate",
      });
    }
    yield body;
    if (body.response.next === undefined) return;
    body = await load(body.response.next);
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
