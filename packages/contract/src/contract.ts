import {
  initContract,
  type AppRoute,
  type ContractNoBody,
  type ServerInferRequest,
} from "@ts-rest/core";
import * as z from "zod";
import { batchResultsSchema, idempotencyKeySchema, petBatchSchema } from "./batch.ts";
import type { ErrorCode } from "./error-codes.ts";
import { errors, errorSchema, type ErrorStatus } from "./errors.ts";
import type { FilterName } from "./fields.ts";
import { expected } from "./messages.ts";
import type { Metadata, OperationName } from "./metadata.ts";
import { ordersSchema } from "./order.ts";
import {
  int64Parameter,
  newPetSchema,
  petChangesSchema,
  petSchema,
  petsSchema,
  petStatusSchema,
  referenceSchema,
} from "./pet.ts";
import {
  idempotencyWindowMs,
  maxBatchBytes,
  maxBatchSize,
  maxBodyBytes,
  pageLimit,
} from "./rules.ts";

const limit = z
  .string(expected.limit)
  .regex(/^[1-9]\d{0,2}$/, expected.limit) // Number would also read "1e1", "0x10" and " 5"
  .transform(Number)
  .pipe(z.int().min(pageLimit.minimum, expected.limit).max(pageLimit.maximum, expected.limit))
  .default(pageLimit.default)
  .describe("Maximum number of items to return.");

const cursor = z.string(expected.cursor).min(1, expected.cursor).optional().meta({
  type: undefined, // with a type, tools send a value of their own
  description:
    "The start of the page: the opaque cursor from the `Link` header of the previous page.",
});

const idempotencyKey = idempotencyKeySchema
  .optional()
  .describe(
    `Makes this request safe to retry: for ${idempotencyWindowMs / 3_600_000} hours, repeats return the original response.`,
  );

const petId = z // any text: an invalid id gets 404, not 400
  .string()
  .meta({ type: "integer", format: "int64", example: 1, description: "Identifier of the animal." });

const change = {
  pathParams: z.object({ petId }),
  query: z.object({
    ifStatus: petStatusSchema
      .optional()
      .meta({ example: "available", description: "Only if the animal has this status." }),
  }),
  headers: z.object({ "idempotency-key": idempotencyKey }),
};

const bodyErrors = ["body_too_large", "unsupported_media_type"] as const;

function failures<Code extends ErrorCode>(...codes: Code[]) {
  const responses = codes.map((code) => [errors[code].status, errorSchema] as const);
  return Object.fromEntries(responses) as Record<
    (typeof errors)[Code]["status"],
    typeof errorSchema
  >;
}

const c = initContract();

/**
 * The API. The server implements it; the fake, the client's types and the OpenAPI document derive
 * from it.
 */
export const contract = c.router(
  {
    listPets: {
      method: "GET",
      path: "/pets",
      summary: "List animals",
      description:
        "Lists the animals of the adoption catalogue in ascending order of id, optionally filtered by category, status and reference. Follow `Link` for the next page.",
      query: z.object({
        limit,
        categoryId: int64Parameter.optional().describe("Filter by category."),
        status: petStatusSchema
          .optional()
          .meta({ example: "available", description: "Filter by availability status." }),
        // Without an example, which the reference page would send.
        reference: referenceSchema
          .optional()
          .describe("Filter by reference: a list of at most one animal."),
        cursor,
      } satisfies Record<FilterName | "limit" | "cursor", z.ZodType>),
      responses: { 200: petsSchema },
      metadata: {
        tag: "pets",
        stability: "stable",
        scope: "read",
        headers: ["Link"],
        invalidRequest: `query limit ${expected.limit}`,
      } as const satisfies Metadata,
    },
    createPet: {
      method: "POST",
      path: "/pets",
      summary: "Add an animal",
      description:
        "Adds an animal and responds once it is stored durably. Send an `Idempotency-Key` to make retries safe.",
      headers: z.object({ "idempotency-key": idempotencyKey }),
      body: newPetSchema,
      responses: {
        201: petSchema,
        ...failures(
          "idempotency_in_progress",
          "reference_taken",
          ...bodyErrors,
          "idempotency_key_reused",
        ),
      },
      metadata: {
        tag: "pets",
        stability: "stable",
        scope: "write",
        headers: ["Location", "Idempotent-Replayed"],
        invalidRequest: `categoryId ${expected.int64}`,
      } as const satisfies Metadata,
    },
    createPets: {
      method: "POST",
      path: "/pet-batches",
      summary: "Add several animals",
      description: `Adds up to ${maxBatchSize} animals, each as if it was sent alone with its \`idempotencyKey\`, and responds once all are stored durably. The results are in the order of the request: an animal that is rejected does not affect the others. After 409, 503 or no response, some may be stored: send the same batch again, with the same keys. **Experimental**: it may change in any release.`,
      body: petBatchSchema,
      responses: {
        200: batchResultsSchema,
        ...failures("idempotency_in_progress", ...bodyErrors),
      },
      metadata: {
        tag: "pets",
        stability: "experimental",
        scope: "write",
        maxBodyBytes: maxBatchBytes,
        items: "pets",
        invalidRequest: `pets ${expected.batch}`,
      } as const satisfies Metadata,
    },
    getPet: {
      method: "GET",
      path: "/pets/:petId",
      summary: "Get an animal",
      description:
        "Returns one animal by id. **Deprecated**: use `GET /pets` with a `status` filter instead.",
      deprecated: true,
      pathParams: z.object({ petId }),
      responses: { 200: petSchema, ...failures("pet_not_found", "operation_removed") },
      metadata: {
        tag: "pets",
        stability: "stable",
        scope: "read",
        deprecation: {
          since: "2026-11-20T00:00:00Z",
          sunset: "2030-12-05T00:00:00Z",
          successor: { reference: "../pets", description: "GET /pets with a status filter" },
        },
        invalidRequest: "The request must have exactly one Host header",
      } as const satisfies Metadata,
    },
    updatePet: {
      method: "PATCH",
      path: "/pets/:petId",
      summary: "Change an animal",
      description:
        "Changes the given fields of an animal and responds once they are stored durably. With `ifStatus`, only if the animal has that status. Send an `Idempotency-Key` to make retries safe. **Experimental**: it may change in any release.",
      ...change,
      body: petChangesSchema,
      responses: {
        200: petSchema,
        ...failures(
          "pet_not_found",
          "status_changed",
          "reference_taken",
          ...bodyErrors,
          "idempotency_key_reused",
        ),
      },
      metadata: {
        tag: "pets",
        stability: "experimental",
        scope: "write",
        headers: ["Idempotent-Replayed"],
        invalidRequest: `status ${expected.status}`,
      } as const satisfies Metadata,
    },
    deletePet: {
      method: "DELETE",
      path: "/pets/:petId",
      summary: "Remove an animal",
      description:
        "Removes an animal and responds once that is stored durably. Its id is never used again. With `ifStatus`, only if the animal has that status. Send an `Idempotency-Key` to make retries safe. **Experimental**: it may change in any release.",
      ...change,
      responses: {
        204: c.noBody(),
        ...failures("pet_not_found", "status_changed", "idempotency_key_reused"),
      },
      metadata: {
        tag: "pets",
        stability: "experimental",
        scope: "remove",
        headers: ["Idempotent-Replayed"],
        invalidRequest: `query ifStatus ${expected.status}`,
      } as const satisfies Metadata,
    },
    listOrders: {
      method: "GET",
      path: "/store/orders",
      summary: "List orders",
      description:
        "Lists orders in ascending order of id. **Experimental**: only the `id` of an order is guaranteed.",
      query: z.object({ limit, cursor }),
      responses: { 200: ordersSchema },
      metadata: {
        tag: "store",
        stability: "experimental",
        scope: "orders",
        headers: ["Link"],
        invalidRequest: `query limit ${expected.limit}`,
      } as const satisfies Metadata,
    },
  },
  {
    strictStatusCodes: true,
    commonResponses: failures(
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
    ),
  },
);

/** The parameters that select a page of a list. */
export type PageQuery = z.output<typeof contract.listOrders.query>;

export type PetsQuery = z.output<typeof contract.listPets.query>;

/**
 * The checked parts of a request: `params`, `query`, `headers` and `body`, if the operation has
 * them.
 */
export type RequestOf<Name extends OperationName> = ServerInferRequest<(typeof contract)[Name]>;

/** A successful response, with the headers that the operation declares. */
export type ResponseOf<Name extends OperationName> = SuccessOf<(typeof contract)[Name]>;

type SuccessOf<Route> = Route extends { responses: infer Responses; metadata: infer Declared }
  ? {
      [Status in Exclude<keyof Responses, ErrorStatus>]: {
        status: Status;
        body: Responses[Status] extends z.ZodType<infer Body> ? Body : undefined;
        headers?: DeclaredHeaders<Declared>;
      };
    }[Exclude<keyof Responses, ErrorStatus>]
  : never;

/** The declared headers. Others would be missing from the OpenAPI document. */
type DeclaredHeaders<Declared> = Declared extends {
  headers: readonly (infer Header extends string)[];
}
  ? { [Each in Header]?: string }
  : Record<string, never>;

export interface Operation {
  method: AppRoute["method"];
  path: string;
  summary: string;
  description: string;
  deprecated?: boolean;
  pathParams?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodObject;
  responses: Readonly<Record<number, z.ZodType | typeof ContractNoBody>>;
  metadata: Metadata;
}

/** All operations, for code that treats them alike. */
export const operations: Readonly<Record<OperationName, Operation>> = { ...contract };

/** The largest body of a request, in bytes. */
export function bodyLimitOf({ metadata }: Operation): number {
  return metadata.maxBodyBytes ?? maxBodyBytes;
}

/**
 * How many requests a request counts as: one for each item of its body. The body may be anything.
 */
export function countItems({ metadata: { items = "" } }: Operation, body: unknown): number {
  const list = (Object(body) as Record<string, unknown>)[items];
  return Array.isArray(list) ? Math.max(1, list.length) : 1;
}

/** The names of all request headers that an operation reads, in their usual spelling. */
export const requestHeaderNames = [
  ...new Set(
    Object.values(operations).flatMap(({ headers }) =>
      Object.keys(headers?.shape ?? {}).map(headerName),
    ),
  ),
];

/** The usual spelling of a header: `Idempotency-Key`. */
export function headerName(name: string): string {
  return name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** A path of the contract in OpenAPI's notation: `/pets/{petId}`. */
export function pathTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}
