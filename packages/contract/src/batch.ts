import * as z from "zod";
import { errorSchema, type ErrorBody } from "./errors.ts";
import type { Int64Form } from "./int64.ts";
import { expected } from "./messages.ts";
import { newPetSchema, petSchema, type NewPet, type Pet, type PetFields } from "./pet.ts";
import { idempotencyKeyPattern, maxBatchSize } from "./rules.ts";
import type { Shape } from "./shape.ts";

/** A new animal of a batch. */
export interface KeyedNewPet<Form extends Int64Form = "exact"> extends NewPet<Form> {
  /** What `Idempotency-Key` is for a request that adds one animal. */
  idempotencyKey?: string | undefined;
}

type KeyedFields = PetFields & Pick<KeyedNewPet, "idempotencyKey">;

/** What became of an animal of a batch: exactly one of `pet` and `error` is present. */
export interface BatchResult<Form extends Int64Form = "exact"> {
  /** The status of a response for this animal alone. */
  status: number;
  /** The animal, if it is stored. */
  pet?: Pet<Form> | undefined;
  /** Present if it was stored by an earlier request with the same key. */
  replayed?: true | undefined;
  /** Why it is not stored. */
  error?: ErrorBody | undefined;
}

export const idempotencyKeySchema = z
  .string(expected.idempotencyKey)
  .regex(idempotencyKeyPattern, expected.idempotencyKey);

export const keyedNewPetSchema = z
  .object(
    {
      ...newPetSchema.shape,
      idempotencyKey: idempotencyKeySchema
        .optional()
        .describe(
          "Makes the batch safe to send again. The same keys as those of `Idempotency-Key`.",
        ),
    } satisfies Shape<KeyedFields, KeyedNewPet>,
    expected.object,
  )
  .meta({
    description: "An animal to add. Unknown properties are ignored.",
    examples: [{ name: "Bella", categoryId: 1, idempotencyKey: "row-1" }],
  });

export const petBatchSchema = z
  .object(
    {
      pets: z
        .array(z.unknown(), expected.batch)
        .min(1, expected.batch)
        .max(maxBatchSize, expected.batch)
        .meta({ items: { $ref: "#/components/schemas/KeyedNewPet" } })
        // Each by itself: one that is invalid does not affect the others. Too many are not looked
        // at.
        .transform((pets) => pets.map((pet) => keyedNewPetSchema.safeParse(pet))),
    },
    expected.object,
  )
  .meta({
    description: "Animals to add.",
    examples: [
      {
        pets: [
          { name: "Bella", categoryId: 1, idempotencyKey: "row-1" },
          { name: "Milo", categoryId: 2, idempotencyKey: "row-2" },
        ],
      },
    ],
  });

const status = z.int("must be an HTTP status").min(200).max(599);

export const batchResultSchema = z
  .object(
    {
      status: status.meta({
        format: "int32",
        description: "The status of a response for this animal alone.",
      }),
      pet: petSchema.optional(),
      replayed: z
        .literal(true, "must be true")
        .optional()
        .describe("Present if an earlier request with the same key stored it."),
      error: errorSchema.optional(),
    } satisfies Shape<BatchResult>,
    expected.object,
  )
  .meta({ description: "What became of an animal: it has either `pet` or `error`." });

export const batchResultsSchema = z
  .array(batchResultSchema)
  .max(maxBatchSize)
  .meta({
    description: "What became of each animal, in the order of the request.",
    examples: [
      [
        { status: 201, pet: { id: 1, name: "Bella", categoryId: 1, status: "available" } },
        {
          status: 201,
          pet: { id: 2, name: "Milo", categoryId: 2, status: "available" },
          replayed: true,
        },
      ],
    ],
  });
