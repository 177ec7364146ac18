import { fieldNames } from "@petstore/contract/fields";
import { effect, signal } from "@preact/signals";
import { tabStorage } from "../browser/storage.ts";
import { blankFields, type Fields } from "../pets/pet-fields.ts";
import { onSessionEnd } from "../session/session.ts";

const storageName = "petstore-draft";
const kept = tabStorage.getJson(storageName);

/** The animal in the form. It is kept for the tab: a reload loses nothing. */
export const draft = signal(isFields(kept) ? kept : blankFields);

effect(() =>
  tabStorage.put(
    storageName,
    draft.value === blankFields ? undefined : JSON.stringify(draft.value),
  ),
);

onSessionEnd((reason) => {
  if (reason !== "replaced") draft.value = blankFields;
});

export function isBlank(fields: Fields): boolean {
  return fieldNames.every((name) => fields[name] === blankFields[name]);
}

/** Whether it is a draft of this version of the board. */
function isFields(value: unknown): value is Fields {
  return fieldNames.every((name) => typeof (Object(value) as Partial<Fields>)[name] === "string");
}
