import { fieldNames } from "@petstore/contract/fields";
import { kept } from "../session/kept.ts";
import { blankFields, type Fields } from "../shared/pet-fields.ts";

/** The animal in the form. */
export const draft = kept("petstore-draft", blankFields, isFields);

export function isBlank(fields: Fields): boolean {
  return fieldNames.every((name) => fields[name] === blankFields[name]);
}

/** Whether it is a draft of this version of the board. */
function isFields(value: unknown): value is Fields {
  return fieldNames.every((name) => typeof (Object(value) as Partial<Fields>)[name] === "string");
}
