import { addApostrophe, toCsvRow } from "@petstore/contract/csv";
import type { Pet } from "../shared/rules.ts";

const columns = ["id", "name", "categoryId", "status"] as const satisfies (keyof Pet)[];

/** The animals as `petstore pets list --output csv` writes them. */
export function toCsv(pets: readonly Pet[]): string {
  const rows = pets.map((pet) => columns.map((column) => (column === "name" ? addApostrophe(pet.name) : pet[column])));
  return [columns, ...rows].map(toCsvRow).join("");
}

/** Saves a text on the device. */
export function save(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\uFEFF", text], { type: "text/csv" })); // the mark tells Excel that it is UTF-8
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
