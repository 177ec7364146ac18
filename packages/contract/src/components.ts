import type * as z from "zod";
import {
  batchResultSchema,
  batchResultsSchema,
  keyedNewPetSchema,
  petBatchSchema,
} from "./batch.ts";
import { errorSchema } from "./errors.ts";
import { orderSchema, ordersSchema } from "./order.ts";
import { newPetSchema, petChangesSchema, petSchema, petsSchema, petStatusSchema } from "./pet.ts";

/**
 * The schemas with a name of their own in the OpenAPI document. Not `.meta({ id })`, which
 * registers a schema for the whole process: a program that uses the fake may register its own.
 */
export const components: Readonly<Record<string, z.ZodType>> = {
  BatchResult: batchResultSchema,
  BatchResults: batchResultsSchema,
  Error: errorSchema,
  KeyedNewPet: keyedNewPetSchema,
  NewPet: newPetSchema,
  Order: orderSchema,
  Orders: ordersSchema,
  Pet: petSchema,
  PetBatch: petBatchSchema,
  PetChanges: petChangesSchema,
  Pets: petsSchema,
  PetStatus: petStatusSchema,
};

export function componentOf(schema: z.ZodType): string {
  const [name] = Object.entries(components).find(([, each]) => each === schema) ?? [];
  if (name === undefined) throw new Error("a body needs a name in components.ts");
  return name;
}
