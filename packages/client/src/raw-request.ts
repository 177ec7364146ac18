import { stringifyJson } from "@petstore/contract/int64";
import { failArgument } from "./check.ts";
import type { Outgoing } from "./exchange.ts";
import type { RequestOptions } from "./options.ts";
import { isBelow, withQuery } from "./paths.ts";

/** The methods of {@link PetstoreClient.request}. */
export type HttpMethod = "DELETE" | "GET" | "HEAD" | "OPTIONS" | "PATCH" | "POST" | "PUT";

/** The options of {@link PetstoreClient.request}. */
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

/** A request to any path below the base URL. */
export function rawRequest<Data>(
  baseUrl: string,
  method: HttpMethod,
  path: string,
  options: RawRequestOptions,
): Outgoing<Data> {
  const { query, body } = Object(options) as RawRequestOptions;
  if (!/^[A-Z]+$/.test(method)) failArgument("method", "in upper case");
  if (!isBelow(baseUrl, path)) failArgument("path", "a path below the base URL, like /pets");
  // Without ids, so that metrics have few operations.
  const name = path.replace(/\?.*/s, "").replaceAll(/\/(?:-?\d+|[\da-f]{8}-[\da-f-]{27})(?=\/|$)/gi, "/{id}");
  const operation = `${method} ${name}`;
  const json = toJson(method, body);
  return { operation, method, path: withQuery(path, query), json, isRaw: true, decode: (data) => data as Data };
}

function toJson(method: string, body: unknown): string | undefined {
  if (body === undefined) return undefined;
  if (/GET|HEAD/.test(method)) failArgument("body", `undefined for ${method}`);
  let json: string | undefined;
  try {
    json = stringifyJson(body);
  } catch {}
  return json ?? failArgument("body", "valid as JSON");
}
