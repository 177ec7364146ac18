import { idempotencyKeyRule } from "@petstore/contract/rules";
import { idempotencyKeyPattern } from "@petstore/contract/values";
import { check, type RequestOptions } from "./options.ts";
import { isBelow, withQuery } from "./paths.ts";
import type { Outgoing } from "./request.ts";

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
   * The body, which is sent as JSON. A `bigint` becomes an integer. GET and HEAD must not have one.
   * @default no body
   */
  body?: unknown;
  /**
   * See {@link CreateOptions.idempotencyKey}.
   * @default a random one for each POST, none for other methods
   */
  idempotencyKey?: string | undefined;
}

/**
 * A request to any path of the service.
 * @throws {InvalidArgumentError} naming the invalid argument
 */
export function rawRequest<Data>(
  baseUrl: string,
  method: HttpMethod,
  path: string,
  { query, body, idempotencyKey = method === "POST" ? randomKey() : undefined }: RawRequestOptions = {},
): Outgoing<Data> {
  check(/^(?:DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT)$/.test(method), "method", "an HTTP method like GET");
  check(isBelow(baseUrl, path), "path", "a path below the base URL, like /pets");
  check(body === undefined || !/GET|HEAD/.test(method), "body", "omitted for GET and HEAD");
  if (idempotencyKey !== undefined) checkKey(idempotencyKey);
  const operation = `${method} ${path.replace(/\?.*/s, "").replaceAll(/\/-?\d+/g, "/{id}")}`;
  return { operation, method, path: withQuery(path, query), idempotencyKey, body, decode: (data) => data as Data };
}

/** @throws {InvalidArgumentError} unless the service accepts this idempotency key */
export function checkKey(key: unknown): void {
  check(typeof key === "string" && idempotencyKeyPattern.test(key), "idempotencyKey", idempotencyKeyRule);
}

/** A new idempotency key. Not `randomUUID`, which browsers do not offer to pages loaded over plain HTTP. */
export function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
