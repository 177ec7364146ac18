import type { PetstoreClient } from "@petstore/client";
import type { FieldName } from "@petstore/contract/fields";
import { pageLimit } from "@petstore/contract/rules";
import { compare, fieldsOf, type Changes, type Sheet, type SheetChange } from "@petstore/sheet";

/** Compares the animals of a sheet that have ids with those of the service. */
export async function findChanges(
  client: PetstoreClient,
  { known, columns }: Sheet,
  signal: AbortSignal,
): Promise<Changes> {
  const wanted = new Set(known.map(({ id }) => id));
  const found = new Map<string, SheetChange["before"]>();
  for await (const pet of client.listPets({ limit: pageLimit.maximum }, { signal })) {
    const id = String(pet.id);
    if (wanted.has(id)) found.set(id, fieldsOf(pet));
  }
  return compare(known, columns, (id) => found.get(id));
}

/** How a change looks to a person. */
export function describeChange({ row, id, before, changes }: SheetChange): string {
  const texts = Object.entries(changes).map(([name, text]) => `${name} ${before[name as FieldName]} → ${text}`);
  return `row ${row}, animal ${id}, ${before.name}: ${texts.join(", ")}`;
}
