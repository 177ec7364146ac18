import type { Int64Form } from "@petstore/contract/int64";
import { failArgument, toJson } from "./check.ts";
import type { PetstoreClient } from "./client.ts";
import { sender, type Sender } from "./exchange.ts";
import type { RequestOptions } from "./options.ts";
import { isBelow, withQuery } from "./paths.ts";
import { toResult, type Result } from "./result.ts";

type HttpMethod = "DELETE" | "GET" | "HEAD" | "OPTIONS" | "PATCH" | "POST" | "PUT";

/** The options of {@link request}. */
export interface RawRequestOptions extends RequestOptions {
  /**
   * Parameters to add to the query of the path. Those that are `undefined` are omitted.
   * @default {}
   */
  query?: Readonly<Record<string, string | number | bigint | boolean | undefined>> | undefined;
  /**
   * The body, which is sent as JSON. A `bigint` becomes an integer. GET and HEAD cannot have one. Its `Content-Type` is
   * `application/json`, unless `headers` have another, such as `application/merge-patch+json`.
   * @default no body
   */
  body?: unknown;
  /**
   * See {@link CreateOptions.idempotencyKey}.
   * @default a random one for each POST and PATCH, none for other methods
   */
  idempotencyKey?: string | undefined;
}

/**
 * Sends any request to the service, for example to an operation that this version of the client does not know. It works like the calls of
 * the client, with the API key, retries, timeouts and exact integers, but checks neither the body nor the response.
 *
 * A POST or PATCH is sent with an idempotency key, so that retries are safe. Events and errors name the operation like
 * `GET /pets/{id}`.
 * @param client the client whose options apply
 * @param method the HTTP method, in upper case
 * @param path the path relative to the base URL, such as `/pets`; it may have a query
 * @returns the JSON of the response; `undefined` if it has no body
 * @throws {InvalidArgumentError} when the path would leave the base URL, or an argument is invalid
 * @example
 * const pets = await request<Pet[]>(client, "GET", "/pets", { query: { status: "sold" } });
 */
export function request<Data = unknown>(
  client: PetstoreClient<Int64Form>,
  method: HttpMethod,
  path: string,
  options: RawRequestOptions = {},
): Result<Data> {
  return toResult(async () => {
    const { baseUrl, call } =
      (client as unknown as Record<symbol, Sender>)[sender] ?? failArgument("client", "a client");
    const { query, body } = Object(options) as RawRequestOptions;
    if (!/^[A-Z]+$/.test(method)) failArgument("method", "in upper case");
    if (!isBelow(baseUrl, path)) failArgument("path", "a path below the base URL, like /pets");
    // Without ids, so that metrics have few operations.
    const name = path.replace(/\?.*/s, "").replaceAll(/\/(?:-?\d+|[\da-f]{8}-[\da-f-]{27})(?=\/|$)/gi, "/{id}");
    const operation = `${method} ${name}`;
    if (body !== undefined && /GET|HEAD/.test(method)) failArgument("body", `undefined for ${method}`);
    const json = body === undefined ? undefined : toJson(body);
    const outgoing = { operation, method, path: withQuery(path, query), json, isRaw: true };
    return await call({ ...outgoing, decode: (data) => data as Data }, options);
  });
}
