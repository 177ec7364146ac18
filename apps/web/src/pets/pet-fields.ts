import { mapFields, type FieldName } from "@petstore/contract/fields";

/** An animal as it was typed: text, because a number would round a 64-bit integer. */
export type Fields = Record<FieldName, string>;

export const blankFields: Fields = mapFields((_, field) =>
  field.kind === "choice" ? field.default : "",
);
