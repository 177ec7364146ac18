import { kept } from "../session/kept.ts";
import type { Fields } from "../shared/rules.ts";

export const blankFields: Fields = { name: "", categoryId: "", status: "available" };

/** The animal in the form. */
export const draft = kept("petstore-draft", blankFields, isFields);

export function isBlank({ name, categoryId, status }: Fields): boolean {
  return name === "" && categoryId === "" && status === blankFields.status;
}

/** Whether it is a draft of this version of the board. */
function isFields(value: unknown): value is Fields {
  const { name, categoryId, status } = Object(value) as Partial<Fields>;
  return [name, categoryId, status].every((text) => typeof text === "string");
}
