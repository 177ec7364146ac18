import { mapFields, type FieldName, type petFields } from "@petstore/contract/fields";

/** An animal as it was typed: text, because a number would round a 64-bit integer. */
export type Fields = Record<FieldName, string>;

export const blankFields: Fields = mapFields((_, field) =>
  field.kind === "choice" ? field.default : "",
);

type Declared<Name extends FieldName> = (typeof petFields)[Name];

/** What can be wrong with a field. */
export type ProblemOf<Name extends FieldName> =
  | {
      text: "tooLong" | "forbidden";
      int64: "notInteger" | "tooLarge";
      choice: "unknown" | "missing"; // only in a sheet
    }[Declared<Name>["kind"]]
  | (Declared<Name> extends { isOptional: true } | { default: string } ? never : "missing")
  | (Name extends "categoryId" ? "notChosen" | "unknown" | "ambiguous" : never);

export type FieldProblems = { [Name in FieldName]?: ProblemOf<Name> | undefined };
