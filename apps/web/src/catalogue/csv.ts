import { toCsvRow, type CsvCell } from "@petstore/contract/csv";
import { fieldNames, petFields, type FieldName } from "@petstore/contract/fields";
import type { Words } from "../language/words/en.ts";
import { categoryText } from "../pets/categories.ts";
import type { Pet } from "../pets/rules.ts";

/**
 * The name of the column with our ids, the same in every language. Nobody else has it, so an edited
 * file finds its animals again.
 */
const idColumn = "Petstore ID";

/**
 * The animals for people, and for spreadsheets of their language. The form for several animals
 * reads the file back exactly.
 */
export function toCsv(pets: readonly Pet[], { language, fields, statuses }: Words): string {
  const cellOf = (pet: Pet, name: FieldName): CsvCell => {
    const texts = {
      ...pet,
      categoryId: categoryText(pet.categoryId),
      status: statuses[pet.status],
    };
    const text = texts[name] ?? "";
    return petFields[name].kind === "int64" && text === pet[name] ? { number: text } : text;
  };
  // A field that animals may lack has a column if one of these animals has it.
  const columns = fieldNames.filter(
    (name) => !("isOptional" in petFields[name]) || pets.some((pet) => pet[name]),
  );
  // Where people write 1,5, spreadsheets separate cells with semicolons.
  const separator = (1.5).toLocaleString(language.tag).includes(",") ? ";" : ",";
  const header = [idColumn, ...columns.map((name) => fields[name])];
  const rows = pets.map((pet) => [{ number: pet.id }, ...columns.map((name) => cellOf(pet, name))]);
  return [header, ...rows].map((row) => toCsvRow(row, separator)).join("");
}

/** Saves a text on the device. */
export function save(name: string, text: string): void {
  const link = document.createElement("a");
  // the mark tells Excel that it is UTF-8
  link.href = URL.createObjectURL(new Blob(["\uFEFF", text], { type: "text/csv" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
