import type { Pet } from "./catalogue.ts";

const columns = ["id", "name", "categoryId", "status"] as const satisfies (keyof Pet)[];

/** How text begins that a spreadsheet would run as a formula, and text that has the apostrophe already. */
const risky = /^[=+\-@\t\r\n'＝＋－＠]/;

/** The animals as `petstore pets list --output csv` writes them. */
export function toCsv(pets: readonly Pet[]): string {
  const lines = pets.map((pet) => columns.map((column) => toCell(pet[column], column === "name")).join(","));
  return [columns.join(","), ...lines, ""].join("\n");
}

function toCell(text: string, isText: boolean): string {
  const safe = isText && risky.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Saves a text on the device. */
export function save(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\uFEFF", text], { type: "text/csv" })); // the mark tells Excel that it is UTF-8
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
