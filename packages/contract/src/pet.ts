import * as z from "zod";
import { type FieldName, fieldNames, mapFields, petFields, petStatuses } from "./fields.ts";
import { isInt64, parseInt64, type Int64, type Int64Form } from "./int64.ts";
import { expected } from "./messages.ts";
import { isText, pageLimit } from "./rules.ts";
import type { Shape } from "./shape.ts";

/** The availability of an animal. */
export type PetStatus = (typeof petStatuses)[number];

/** A new animal, as a client sends it. */
export interface NewPet<Form extends Int64Form = "exact"> {
  /** 1 to 255 Unicode code points, without U+0000 and lone surrogates. Stored as sent. */
  name: string;
  /** Identifier of the category that the animal belongs to. */
  categoryId: Int64<Form>;
  /** @default "available" */
  status?: PetStatus | undefined;
  /**
   * The number or code of the animal in the shelter's own program: 1 to 255 Unicode code points. No
   * other animal has it.
   */
  reference?: string | undefined;
}

/** An animal in the catalogue. */
export type Pet<Form extends Int64Form = "exact"> = {
  /** Unique identifier, assigned by the service. Lists are sorted by it. */
  id: Int64<Form>;
  /** 1 to 255 Unicode code points. */
  name: string;
  /** Identifier of the category that the animal belongs to. */
  categoryId: Int64<Form>;
  /** Always present in a response. */
  status: PetStatus;
  /** The number or code of the animal in the shelter's own program. No other animal has it. */
  reference?: string | undefined;
};

/** An animal without its id, with defaults filled in. */
export type PetFields = Omit<Pet, "id">;

/**
 * New values for some fields of an animal. Those that are left out stay as they are; `null` clears
 * an optional one.
 */
export type PetChanges<Form extends Int64Form = "exact"> = {
  [Field in keyof NewPet<Form>]?:
    | NewPet<Form>[Field]
    | (undefined extends Pet[Field] ? null : never)
    | undefined;
};

/** What the table of fields says of a field with this type. */
type FieldOf<Value> = (undefined extends Value ? { isOptional: true } : { isOptional?: never }) &
  (bigint extends Value
    ? { kind: "int64" }
    : string extends Value
      ? { kind: "text" }
      : { kind: "choice" });

// A field that only the table has, or only the types, or that has another kind in the table, does
// not compile.
const { name, reference } = petFields satisfies {
  [Field in keyof PetFields]-?: FieldOf<PetFields[Field]>;
} & {
  [Unknown in Exclude<FieldName, keyof PetFields>]: never;
};

// Not a union of z.int() and z.bigint(): that would need two messages, and zod would document a
// number.
export const int64Schema = z
  .custom<Int64>(isInt64, expected.int64)
  .meta({ type: "integer", format: "int64" });

/** An integer in a query, in canonical decimal digits. */
export const int64Parameter = z.string(expected.int64).transform(parseInt64).pipe(int64Schema);

export const petStatusSchema = z.enum(petStatuses, expected.status).meta({
  description: "Availability status of an animal: `pending` is reserved, and `sold` is adopted.",
});

/** A string of 1 to `max` code points. */
function text({ max }: { max: number }) {
  const must = expected.text(max);
  // not .max(): that counts UTF-16 units
  return z.string(must).refine(isText(max), must).meta({ minLength: 1, maxLength: max });
}

export const referenceSchema = text(reference).describe(
  "The number or code of the animal in the shelter's own program. No other animal has it.",
);

export const newPetSchema = z
  .object(
    {
      name: text(name).describe("The animal's name, stored as sent."),
      categoryId: int64Schema.describe("Identifier of the category the animal belongs to."),
      status: petStatusSchema
        .default("available")
        .describe("Availability status. Defaults to `available`."),
      reference: referenceSchema.optional(),
    } satisfies Shape<PetFields, NewPet>,
    expected.object,
  )
  .meta({
    description: "An animal to add. Unknown properties are ignored.",
    examples: [{ name: "Bella", categoryId: 1, status: "available" }],
  });

const bella: Pet = { id: 1, name: "Bella", categoryId: 1, status: "available" };

export const petSchema = z
  .object(
    {
      id: int64Schema.describe("Unique identifier, assigned by the service."),
      ...newPetSchema.shape,
      status: petStatusSchema,
    } satisfies Shape<Pet>,
    expected.object,
  )
  .meta({ description: "An animal in the catalogue.", examples: [bella] });

type ChangedValue<Field extends FieldName> = Exclude<PetChanges[Field], undefined>;
type Changed = {
  [Field in FieldName]: z.ZodOptional<z.ZodType<ChangedValue<Field>, ChangedValue<Field>>>;
};

/** Any field may be left out of a change. `null` clears one that animals may lack. */
const changed = mapFields((field, { isOptional }): z.ZodType => {
  const schema: z.ZodType = petSchema.shape[field];
  return isOptional ? schema.nullish() : schema.optional();
}) as Changed;

export const petChangesSchema = z
  .object(changed, expected.object)
  .refine((changes) => Object.keys(changes).length > 0, `must have one of ${fieldNames.join(", ")}`)
  .meta({
    minProperties: 1,
    description:
      "New values for some fields of an animal. Fields that are left out stay as they are, and `null` removes the reference. Unknown properties and `id` are ignored: a body with nothing else gets 400.",
    examples: [{ status: "pending" }],
  });

export const petsSchema = z
  .array(petSchema)
  .max(pageLimit.maximum)
  .meta({
    description: "A page of animals in ascending order of id.",
    examples: [[bella, { id: 2, name: "Milo", categoryId: 2, status: "available" }]],
  });
