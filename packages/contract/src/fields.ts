/*
 * What a field of an animal is. This file imports nothing: the client and the board inline it.
 */

/** The availability statuses of an animal. */
export const petStatuses = ["available", "pending", "sold"] as const;

/** The maximum length of a name, in code points. */
export const maxNameLength = 255;

/** The maximum length of a reference, in code points. */
export const maxReferenceLength = 255;

/**
 * What is known of a field of an animal: its kind, whether animals may lack it, whether lists can
 * be filtered by it, and whether no two animals have the same value.
 */
export type PetField = { isOptional?: boolean; isFilter?: boolean; isUnique?: boolean } & (
  | { kind: "int64" }
  | { kind: "text"; max: number } // code points
  | { kind: "choice"; choices: readonly string[]; default: string }
);

/**
 * The fields of an animal besides its id. Everything that treats them alike derives from this
 * table: columns, filters, options, forms, checks of the client. Their types and schemas are in
 * `pet.ts`. A field that is optional can be cleared.
 */
export const petFields = {
  name: { kind: "text", max: maxNameLength },
  categoryId: { kind: "int64", isFilter: true },
  status: { kind: "choice", choices: petStatuses, default: "available", isFilter: true },
  reference: {
    kind: "text",
    max: maxReferenceLength,
    isOptional: true,
    isFilter: true,
    isUnique: true,
  },
} as const satisfies Record<string, PetField>;

export type FieldName = keyof typeof petFields;

type NamesOf<Kind> = {
  [Name in FieldName]: (typeof petFields)[Name] extends Kind ? Name : never;
}[FieldName];

export type FilterName = NamesOf<{ isFilter: true }>;
export type ChoiceName = NamesOf<{ kind: "choice" }>;

// Marked as pure, so that the client bundles the table only if it uses it.
export const fieldNames = /* @__PURE__ */ Object.keys(petFields) as FieldName[];

export const filterNames = /* @__PURE__ */ fieldNames.filter(
  (name): name is FilterName => "isFilter" in petFields[name],
);

/** A value for each field. */
export function mapFields<Value>(valueOf: (name: FieldName, field: PetField) => Value) {
  const values = fieldNames.map((name) => [name, valueOf(name, petFields[name])]);
  return Object.fromEntries(values) as Record<FieldName, Value>;
}
