import { initContract } from "@ts-rest/core";
import { z } from "zod";
import { errorSchema } from "./error.ts";
import { expected } from "./messages.ts";
import { ordersSchema } from "./order.ts";
import { newPetSchema, petSchema, petsSchema, petStatusSchema } from "./pet.ts";
import { getPetDeprecation, idempotencyKeyPattern, pageLimit } from "./values.ts";

/** The version of the interface. Its major part is the last segment of every base address. */
export const apiVersion = "1.0.0";

/** What an API key may do. A key has all of these unless it was issued with fewer (D11). */
export const scopes = ["read", "write", "orders"] as const;

export type Scope = (typeof scopes)[number];

/** An operation that is going away: RFC 9745 (Deprecation) and RFC 8594 (Sunset). */
export interface Deprecation {
  /** From when the operation is deprecated, an ISO 8601 instant. */
  since: string;
  /** From when the operation answers 410 `operation_removed`, an ISO 8601 instant. */
  sunset: string;
  /** The replacement: a reference relative to the request, and in words. */
  successor: { reference: string; description: string };
}

/** Facts about an operation that no schema holds. */
export interface OperationMetadata {
  /** The navigation group. */
  tag: "pets" | "store";
  /** `experimental` operations may change in any release. */
  stability: "stable" | "experimental";
  /** The scope that a key needs. */
  scope: Scope;
  deprecation?: Deprecation;
}

// On the wire a parameter is text, and only plain decimal digits are a number (D6).
const limitSchema = z
  .custom<string>((value) => typeof value === "string" && /^(?:[1-9]\d?|100)$/.test(value), expected.limit)
  .meta({ type: "integer", ...pageLimit, description: "The most items of a page." })
  .transform(Number)
  .default(pageLimit.default);

const cursorSchema = z
  .string({ error: expected.cursor })
  .min(1, expected.cursor)
  .optional()
  .meta({ description: "Where the page starts: opaque, handed out in the `Link` header of the page before." });

const tsRest = initContract();

/** The interface, once: the server implements it, the client and the OpenAPI document are derived from it. */
export const contract = tsRest.router(
  {
    listPets: {
      method: "GET",
      path: "/pets",
      summary: "List animals",
      description: "A page of animals in ascending order of id. The `Link` header leads to the next page.",
      query: z.object({
        limit: limitSchema,
        status: petStatusSchema.optional().meta({ description: "Only animals with this status." }),
        cursor: cursorSchema,
      }),
      responses: { 200: petsSchema },
      metadata: operation({ tag: "pets", stability: "stable", scope: "read" }),
    },
    createPet: {
      method: "POST",
      path: "/pets",
      summary: "Add an animal",
      description: "Answers once the animal is stored durably. With an `Idempotency-Key` it is safe to repeat.",
      headers: z.object({
        "idempotency-key": z
          .string({ error: expected.idempotencyKey })
          .regex(idempotencyKeyPattern, expected.idempotencyKey)
          .optional()
          .meta({ description: "Makes a repeat of this request answer as the first did, for 24 hours." }),
      }),
      body: newPetSchema,
      responses: {
        201: petSchema,
        409: errorSchema,
        413: errorSchema,
        415: errorSchema,
        422: errorSchema,
      },
      metadata: operation({ tag: "pets", stability: "stable", scope: "write" }),
    },
    getPet: {
      method: "GET",
      path: "/pets/:petId",
      summary: "Get an animal",
      description: "Deprecated: use `GET /pets` with a `status` filter.",
      deprecated: true,
      pathParams: z.object({
        petId: z
          .string()
          .meta({ type: "integer", format: "int64", description: "Identifier of the animal.", example: 1 }),
      }),
      responses: { 200: petSchema, 404: errorSchema, 410: errorSchema },
      metadata: operation({
        tag: "pets",
        stability: "stable",
        scope: "read",
        deprecation: getPetDeprecation,
      }),
    },
    listOrders: {
      method: "GET",
      path: "/store/orders",
      summary: "List orders",
      description: "Experimental: nothing beyond `id` is promised. A page of orders in ascending order of id.",
      query: z.object({ limit: limitSchema, cursor: cursorSchema }),
      responses: { 200: ordersSchema },
      metadata: operation({ tag: "store", stability: "experimental", scope: "orders" }),
    },
  },
  {
    strictStatusCodes: true,
    // What any operation may answer, whoever asks and whatever it does.
    commonResponses: {
      400: errorSchema,
      401: errorSchema,
      403: errorSchema,
      408: errorSchema,
      414: errorSchema,
      417: errorSchema,
      429: errorSchema,
      431: errorSchema,
      500: errorSchema,
      503: errorSchema,
    },
  },
);

/** The name of an operation: contract key, handler, client method and `operationId`. */
export type OperationName = keyof typeof contract;

// Widens the literal, so that a consumer can read `deprecation` of any operation.
function operation(metadata: OperationMetadata): OperationMetadata {
  return metadata;
}
