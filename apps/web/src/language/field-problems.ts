import type { FieldName, petFields } from "@petstore/contract/fields";

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
