import type { ErrorCode } from "./errors.ts";
import type { AnyList, AnyObject, Fields, Shape } from "./fields.ts";
import { parseInt64 } from "./int64.ts";
import { expected } from "./messages.ts";
import { orders } from "./order.ts";
import { newPet, pet, pets, statusField, type PetStatus } from "./pet.ts";
import type { ResponseHeader } from "./responses.ts";
import { isPageLimit } from "./rules.ts";
import { idempotencyKeyPattern, idempotencyWindowMs, pageLimit } from "./values.ts";

/** The version of the API. Its major version ends every base URL: `/v1`. */
export const apiVersion = "1.0.0";

/** The scopes of an API key. A key has all of them unless it was issued with fewer. */
export const scopes = ["read", "write", "orders"] as const;

export type Scope = (typeof scopes)[number];

/** The name of an operation. The contract key, handler, client method and `operationId` all use it. */
export type OperationName = "listPets" | "createPet" | "getPet" | "listOrders";

/** When an operation is deprecated (RFC 9745) and removed (RFC 8594). */
export interface Deprecation {
  /** When the deprecation starts, in ISO 8601. */
  since: string;
  /** From this time on the operation returns 410 `operation_removed`, in ISO 8601. */
  sunset: string;
  /** The replacement: its URL relative to the request, and a description. */
  successor: { reference: string; description: string };
}

/** The declaration of one operation. */
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
  /** Its possible errors, in addition to {@link commonErrors}. */
  errors: readonly ErrorCode[];
  /** An example of a problem that `invalid_request` reports. */
  invalidRequest: string;
  /** The CLI command that calls it, such as `pets list`. */
  command: string;
}

/** The errors that every operation can return. */
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

/** The parameters that select a page of a list. */
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
      description: "Maximum number of items to return.",
    },
    cursor: {
      is: (value) => typeof value === "string" && value !== "",
      must: expected.cursor,
      schema: { type: "string", minLength: 1 },
      isOptional: true,
      description: "The start of the page: the opaque cursor from the `Link` header of the previous page.",
    },
  },
};

const petsQuery: Shape<Partial<PetsQuery>, PetsQuery> = {
  fields: {
    limit: pageQuery.fields.limit,
    status: { ...statusField, isOptional: true, description: "Filter by availability status." },
    cursor: pageQuery.fields.cursor,
  },
};

const petId: Shape<{ petId: string }> = {
  fields: {
    petId: {
      is: (value) => typeof value === "string", // any text: an invalid id gets 404, not 400
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
      description: `Makes this request safe to retry: for ${idempotencyWindowMs / 3_600_000} hours, repeats return the original response.`,
    },
  },
};

/** All operations. The server, its fake, the client's types and the OpenAPI document derive from them. */
export const operations = {
  listPets: {
    method: "GET",
    path: "/pets",
    tag: "pets",
    stability: "stable",
    scope: "read",
    summary: "List animals",
    description:
      "Lists the animals of the adoption catalogue in ascending order of id, optionally filtered by status. Follow `Link` for the next page.",
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
    description:
      "Adds an animal and responds once it is stored durably. Send an `Idempotency-Key` to make retries safe.",
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
    description: "Returns one animal by id. **Deprecated**: use `GET /pets` with a `status` filter instead.",
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
    description: "Lists orders in ascending order of id. **Experimental**: only the `id` of an order is guaranteed.",
    query: pageQuery,
    success: { status: 200, body: orders, headers: ["Link"] },
    errors: [],
    invalidRequest: `query limit ${expected.limit}`,
    command: "orders list",
  },
} as const satisfies Record<OperationName, Operation>;

/** The names of all request headers that an operation reads, in their usual spelling. */
export const requestHeaderNames = Object.values<Operation>(operations).flatMap(({ headers }) =>
  Object.keys(headers?.fields ?? {}).map(headerName),
);

/** The usual spelling of a header: `Idempotency-Key`. */
export function headerName(name: string): string {
  return name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** Every error that an operation can return. */
export function errorsOf(operation: Operation): ErrorCode[] {
  return [...commonErrors, ...operation.errors];
}

/** A path of the contract in OpenAPI's notation: `/pets/{petId}`. */
export function pathTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}
