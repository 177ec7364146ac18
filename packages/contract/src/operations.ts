import type { ErrorCode } from "./errors.ts";
import type { AnyList, AnyObject, Fields, Shape } from "./fields.ts";
import { parseInt64 } from "./int64.ts";
import { expected } from "./messages.ts";
import { orders } from "./order.ts";
import { newPet, pet, pets, statusField, type PetStatus } from "./pet.ts";
import type { ResponseHeader } from "./responses.ts";
import { isPageLimit } from "./rules.ts";
import { idempotencyKeyPattern, idempotencyWindowMs, pageLimit } from "./values.ts";

/** The version of the interface. Its major part is the last segment of every base address. */
export const apiVersion = "1.0.0";

/** What an API key may do. A key has all of these unless it was issued with fewer. */
export const scopes = ["read", "write", "orders"] as const;

export type Scope = (typeof scopes)[number];

/** The name of an operation: contract key, handler, client method and `operationId`. */
export type OperationName = "listPets" | "createPet" | "getPet" | "listOrders";

/** An operation that is going away: RFC 9745 (Deprecation) and RFC 8594 (Sunset). */
export interface Deprecation {
  /** From when the operation is deprecated, an ISO 8601 instant. */
  since: string;
  /** From when the operation responds with 410 `operation_removed`, an ISO 8601 instant. */
  sunset: string;
  /** The replacement: a reference relative to the request, and in words. */
  successor: { reference: string; description: string };
}

/** Everything about an operation. */
export interface Operation {
  method: "GET" | "POST";
  path: `/${string}`;
  /** The navigation group. */
  tag: "pets" | "store";
  /** `experimental` operations may change in any release. */
  stability: "stable" | "experimental";
  scope: Scope;
  summary: string;
  description: string;
  deprecation?: Deprecation;
  params?: { readonly fields: Fields };
  query?: { readonly fields: Fields };
  headers?: { readonly fields: Fields };
  body?: AnyObject;
  success: {
    status: 200 | 201;
    body: AnyObject | AnyList;
    headers?: readonly ResponseHeader[];
  };
  /** What it may respond with beside {@link commonErrors}. */
  errors: readonly ErrorCode[];
  /** What is wrong with an invalid request, for example. */
  invalidRequest: string;
  /** The command of the command-line tool: `pets list`. */
  command: string;
}

/** What any operation may respond with, whoever asks and whatever it does. */
export const commonErrors = [
  "invalid_request",
  "missing_api_key",
  "invalid_api_key",
  "insufficient_scope",
  "request_timeout",
  "uri_too_long",
  "expectation_failed",
  "rate_limited",
  "headers_too_large",
  "internal_error",
  "unavailable",
] as const satisfies readonly ErrorCode[];

/** Which part of a list a page holds. */
export interface PageQuery {
  limit: number;
  cursor?: string | undefined;
}

export interface PetsQuery extends PageQuery {
  status?: PetStatus | undefined;
}

const pageQuery: Shape<Partial<PageQuery>, PageQuery> = {
  fields: {
    limit: {
      is: isPageLimit,
      must: expected.limit,
      schema: { type: "integer", ...pageLimit },
      read: (text) => Number(parseInt64(text)), // only plain decimal digits are a number
      isOptional: true,
      default: pageLimit.default,
      description: "The most items of a page.",
    },
    cursor: {
      is: (value) => typeof value === "string" && value !== "",
      must: expected.cursor,
      schema: { type: "string", minLength: 1 },
      isOptional: true,
      description: "Where the page starts: opaque, handed out in the `Link` header of the page before.",
    },
  },
};

const petsQuery: Shape<Partial<PetsQuery>, PetsQuery> = {
  fields: {
    limit: pageQuery.fields.limit,
    status: { ...statusField, isOptional: true, description: "Only animals with this status." },
    cursor: pageQuery.fields.cursor,
  },
};

const petId: Shape<{ petId: string }> = {
  fields: {
    petId: {
      is: (value) => typeof value === "string", // of any text that is no id there is no animal
      must: expected.int64,
      schema: { type: "integer", format: "int64", example: 1 },
      description: "Identifier of the animal.",
    },
  },
};

const idempotencyKey: Shape<{ "idempotency-key"?: string | undefined }> = {
  fields: {
    "idempotency-key": {
      is: (value) => typeof value === "string" && idempotencyKeyPattern.test(value),
      must: expected.idempotencyKey,
      schema: { type: "string", pattern: idempotencyKeyPattern.source },
      isOptional: true,
      description: `Makes a repeat of this request get the same response, for ${idempotencyWindowMs / 3_600_000} hours.`,
    },
  },
};

/** Every operation, once. The server, its fake, the client's types and the OpenAPI document derive from it. */
export const operations = {
  listPets: {
    method: "GET",
    path: "/pets",
    tag: "pets",
    stability: "stable",
    scope: "read",
    summary: "List animals",
    description:
      "A page of the animals up for adoption, in ascending order of id. Filter them by `status`. The `Link` header leads to the next page.",
    query: petsQuery,
    success: { status: 200, body: pets, headers: ["Link"] },
    errors: [],
    invalidRequest: `query limit ${expected.limit}`,
    command: "pets list",
  },
  createPet: {
    method: "POST",
    path: "/pets",
    tag: "pets",
    stability: "stable",
    scope: "write",
    summary: "Add an animal",
    description: "Responds once the animal is stored durably. With an `Idempotency-Key` it is safe to repeat.",
    headers: idempotencyKey,
    body: newPet,
    success: { status: 201, body: pet, headers: ["Location", "Idempotent-Replayed"] },
    errors: ["idempotency_in_progress", "body_too_large", "unsupported_media_type", "idempotency_key_reused"],
    invalidRequest: `categoryId ${expected.int64}`,
    command: "pets create",
  },
  getPet: {
    method: "GET",
    path: "/pets/:petId",
    tag: "pets",
    stability: "stable",
    scope: "read",
    summary: "Get an animal",
    description: "Deprecated: use `GET /pets` with a `status` filter.",
    deprecation: {
      since: "2026-11-20T00:00:00Z",
      sunset: "2030-12-05T00:00:00Z",
      successor: { reference: "../pets", description: "GET /pets with a status filter" },
    },
    params: petId,
    success: { status: 200, body: pet },
    errors: ["pet_not_found", "operation_removed"],
    invalidRequest: "The request must have exactly one Host header",
    command: "pets get",
  },
  listOrders: {
    method: "GET",
    path: "/store/orders",
    tag: "store",
    stability: "experimental",
    scope: "orders",
    summary: "List orders",
    description: "Experimental: nothing beyond `id` is promised. A page of orders in ascending order of id.",
    query: pageQuery,
    success: { status: 200, body: orders, headers: ["Link"] },
    errors: [],
    invalidRequest: `query limit ${expected.limit}`,
    command: "orders list",
  },
} as const satisfies Record<OperationName, Operation>;

/** Every header that an operation takes, as it is usually written. */
export const requestHeaderNames = Object.values<Operation>(operations).flatMap(({ headers }) =>
  Object.keys(headers?.fields ?? {}).map(headerName),
);

/** The usual spelling of a header: `Idempotency-Key`. */
export function headerName(name: string): string {
  return name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** Every error that an operation may respond with. */
export function errorsOf(operation: Operation): ErrorCode[] {
  return [...commonErrors, ...operation.errors];
}

/** A path of the contract as the document writes it: `/pets/{petId}`. */
export function pathTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}
