import { z } from "zod";
import { isInt64, type Int64 } from "./int64.ts";
import { expected } from "./messages.ts";
import { isName, maxNameLength, pageLimit, petStatuses } from "./values.ts";

/** Whether an animal can be adopted. */
export type PetStatus = (typeof petStatuses)[number];

/** What a client sends to add an animal. */
export interface NewPet {
  /** 1 to 255 Unicode code points, kept as sent. No U+0000, no lone surrogate (D3). */
  name: string;
  /** The category that the animal belongs to. */
  categoryId: Int64;
  /** @default "available" (D2) */
  status?: PetStatus | undefined;
}

/** An animal of the catalogue. */
export interface Pet {
  /** Assigned by the service. Lists are in ascending order of it (D7). */
  id: Int64;
  /** 1 to 255 Unicode code points. */
  name: string;
  /** The category that the animal belongs to. */
  categoryId: Int64;
  /** Always present in an answer (D2). */
  status: PetStatus;
}

/** Each message says what was expected; the server puts the field's name in front of it. */
export const int64Schema = z.custom<Int64>(isInt64, expected.int64).meta({ type: "integer", format: "int64" });

export const petStatusSchema = z
  .enum(petStatuses, { error: expected.status })
  .meta({ id: "PetStatus", description: "Availability status of an animal." });

const nameSchema = z
  .custom<string>(isName, expected.name)
  .meta({ type: "string", minLength: 1, maxLength: maxNameLength, description: "The animal's name, kept as sent." });

const categoryIdSchema = int64Schema.meta({ description: "Identifier of the category the animal belongs to." });

export const newPetSchema = z
  .object(
    {
      name: nameSchema,
      categoryId: categoryIdSchema,
      // No `default` in the document: some generators of clients require what has one.
      status: petStatusSchema
        .default("available")
        .meta({ default: undefined, description: "Availability status: `available` when omitted." }),
    },
    { error: expected.object },
  )
  .meta({
    id: "NewPet",
    description: "An animal to add. Unknown properties are ignored.",
    examples: [{ name: "Bella", categoryId: 1, status: "available" }],
  }) satisfies z.ZodType<Omit<Pet, "id">, NewPet>;

const bella: Pet = { id: 1, name: "Bella", categoryId: 1, status: "available" };

export const petSchema = z
  .object({
    id: int64Schema.meta({ description: "Unique identifier, assigned by the service." }),
    name: nameSchema,
    categoryId: categoryIdSchema,
    status: petStatusSchema,
  })
  .meta({ id: "Pet", description: "An animal of the catalogue.", examples: [bella] }) satisfies z.ZodType<Pet>;

export const petsSchema = z
  .array(petSchema)
  .max(pageLimit.maximum)
  .meta({
    id: "Pets",
    description: "A page of animals in ascending order of id.",
    examples: [[bella, { id: 2, name: "Milo", categoryId: 2, status: "available" }]],
  });
