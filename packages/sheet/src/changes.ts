import { simplify } from "@petstore/contract/categories";
import { fieldNames, mapFields, petFields, type FieldName } from "@petstore/contract/fields";
import type { SheetAnimal } from "./sheet.ts";

export function fieldsOf(
  pet: Readonly<Partial<Record<FieldName, string | number | bigint | undefined>>>,
): SheetAnimal["fields"] {
  return mapFields((name) => String(pet[name] ?? ""));
}

/** The fields of a change as the service takes them: `null` clears one. */
export function valuesOf({ changes }: SheetChange): Record<string, string | null> {
  return Object.fromEntries(Object.entries(changes).map(([name, text]) => [name, text === "" ? null : text]));
}

export interface SheetChange {
  row: number;
  id: string;
  /** As the service has it. */
  before: SheetAnimal["fields"];
  /** Only the fields that change. An empty text clears an optional field. */
  changes: Partial<SheetAnimal["fields"]>;
}

/** What the rows with ids of ours would change. */
export interface Changes {
  changed: SheetChange[];
  /** The name differs in more than case and signs: it may be another animal, of a service that has the same numbers. */
  renamed: SheetChange[];
  equal: number;
  /** The service has no such animal. */
  missing: SheetAnimal[];
}

/** Compares rows with what the service has. Columns that the sheet does not have change nothing. */
export function compare(
  known: readonly SheetAnimal[],
  columns: Partial<Record<FieldName, number>>,
  find: (id: string) => SheetAnimal["fields"] | undefined,
): Changes {
  const result: Changes = { changed: [], renamed: [], equal: 0, missing: [] };
  for (const animal of known) {
    const { row, id = "", fields } = animal;
    const before = find(id);
    if (!before) {
      // As a new animal.
      const complete = mapFields((name, field) => fields[name] || (field.kind === "choice" ? field.default : ""));
      result.missing.push({ ...animal, fields: complete });
      continue;
    }
    const isGiven = (name: FieldName): boolean => fields[name] !== "" || "isOptional" in petFields[name];
    const names = fieldNames.filter(
      (name) => columns[name] !== undefined && isGiven(name) && fields[name] !== before[name],
    );
    const change = { row, id, before, changes: Object.fromEntries(names.map((name) => [name, fields[name]])) };
    if (names.length === 0) result.equal += 1;
    else if (names.includes("name") && simplify(fields.name) !== simplify(before.name)) result.renamed.push(change);
    else result.changed.push(change);
  }
  return result;
}
