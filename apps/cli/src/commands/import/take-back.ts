import { isApiError, type Pet } from "@petstore/client";
import { pageLimit } from "@petstore/contract/rules";
import { openOutput, printCounts } from "../../output/output.ts";
import { connectionSettings } from "../../settings/resolve.ts";
import type { Context } from "../../types.ts";
import { confirmRemoval } from "../input.ts";
import { openClient } from "../open-client.ts";
import { isUnchanged } from "./journal/identity.ts";
import { openJournal } from "./journal/journal.ts";
import { openSource } from "./read/source.ts";

interface Summary {
  removed: number;
  /** Animals that were changed since, which stay. */
  kept: number;
  /** Animals that were removed before. */
  gone: number;
}

/**
 * Removes the animals that an import has added, unless they were changed since. Run again, it
 * removes the rest; and the import, run again, adds them again.
 */
export async function removeImported(
  context: Context,
  file: string,
  { importId: given, yes }: { importId?: string | undefined; yes?: true | undefined },
): Promise<void> {
  const { terminal, settings, note } = context;
  const { signal } = terminal;
  const output = openOutput(context);
  const connection = connectionSettings(settings);
  const client = openClient(context, connection);
  const { importId } =
    given === undefined ? openSource(terminal, file, undefined) : { importId: given };
  const journal = await openJournal(terminal, { ...connection, importId });
  const summary: Summary = { removed: 0, kept: 0, gone: 0 };
  try {
    if (!journal.isSettled)
      note("the import was interrupted, and may have added more animals: run it again to know");
    const added = new Map(
      Array.from(journal.added, ([row, text]) => [text.split(" ")[0] ?? "", row]),
    );
    const found = new Map<string, Pet>();
    if (added.size > 0)
      for await (const pet of client.listPets({ limit: pageLimit.maximum }, { signal }))
        if (added.has(String(pet.id))) found.set(String(pet.id), pet);
    const own = [...found.values()].filter(({ id, ...pet }) => {
      const row = added.get(String(id)) ?? "";
      const occurrence = Number(journal.added.get(row)?.split(" ")[1]);
      return isUnchanged(importId, pet, { row, occurrence });
    });
    summary.kept = found.size - own.length;
    const question = `Remove ${own.length} animals that the import of ${file} has added, and forget that it has added them?`;
    if (added.size > 0 && yes !== true && !(await confirmRemoval(terminal, question)))
      return note("nothing was removed");
    for (const [id, row] of added) {
      if (found.has(id)) continue;
      journal.forget(row);
      summary.gone++;
    }
    for (const { id, status } of own) {
      try {
        await client.experimental.deletePet(id, { ifStatus: status, signal });
      } catch (error) {
        if (!isApiError(error, "status_changed") && !isApiError(error, "pet_not_found"))
          throw error;
        if (error.code === "status_changed") {
          summary.kept++;
          continue;
        }
      }
      journal.forget(added.get(String(id)) ?? "");
      summary.removed++;
    }
  } finally {
    journal.close({ own: false, earlier: true });
  }
  await printCounts(output, summary);
  if (summary.kept > 0)
    note("animals that were changed since the import stay. Remove them one by one");
}
