import type { FieldsOf, ListShape, ObjectShape, Field } from "./fields.ts";
import { isInt64, type Int64, type Int64Form } from "./int64.ts";
import { expected } from "./messages.ts";
import { isName } from "./rules.ts";
import { maxNameLength, pageLimit, petStatuses } from "./values.ts";

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
}

/** An animal in the catalogue. */
export interface Pet<Form extends Int64Form = "exact"> {
  /** Unique identifier, assigned by the service. Lists are sorted by it. */
  id: Int64<Form>;
  /** 1 to 255 Unicode code points. */
  name: string;
  /** Identifier of the category that the animal belongs to. */
  categoryId: Int64<Form>;
  /** Always present in a response. */
  status: PetStatus;
}

/** An animal without its id, with defaults filled in. */
export type PetFields = Omit<Pet, "id">;

export const int64Field = {
  is: isInt64,
  must: expected.int64,
  schema: { type: "integer", format: "int64" },
} satisfies Field<Int64>;

export const statusField = {
  is: (value) => petStatuses.includes(value as PetStatus),
  must: expected.status,
  schema: {
    id: "PetStatus",
    type: "string",
    enum: petStatuses,
    description: "Availability status of an animal.",
  },
} satisfies Field<PetStatus>;

// `Required`: an optional field must not be missing in `PetFields`.
const newPetFields: FieldsOf<NewPet, Required<PetFields>> = {
  name: {
    is: isName,
    must: expected.name,
    schema: { type: "string", minLength: 1, maxLength: maxNameLength },
    description: "The animal's name, stored as sent.",
  },
  categoryId: { ...int64Field, description: "Identifier of the category the animal belongs to." },
  status: {
    ...statusField,
    isOptional: true,
    // Not in the JSON Schema: some client generators make a field with a default required.
    default: "available",
    description: "Availability status. Defaults to `available`.",
  },
};

export const newPet: ObjectShape<NewPet, PetFields> = {
  id: "NewPet",
  description: "An animal to add. Unknown properties are ignored.",
  fields: newPetFields,
  examples: [{ name: "Bella", categoryId: 1, status: "available" }],
};

const bella: Pet = { id: 1, name: "Bella", categoryId: 1, status: "available" };

export const pet: ObjectShape<Pet> = {
  id: "Pet",
  description: "An animal in the catalogue.",
  fields: {
    id: { ...int64Field, description: "Unique identifier, assigned by the service." },
    ...newPetFields,
    status: statusField,
  },
  examples: [bella],
};

export const pets: ListShape<Pet> = {
  id: "Pets",
  description: "A page of animals in ascending order of id.",
  items: pet,
  maxItems: pageLimit.maximum,
  examples: [[bella, { id: 2, name: "Milo", categoryId: 2, status: "available" }]],
};
