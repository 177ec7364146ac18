import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { confirm } from "../confirm.ts";
import { openOutput, type Context } from "../context.ts";
import { printPages } from "../output.ts";
import type { Column } from "../table.ts";
import { journalDirectory, readJournal } from "./journal.ts";

interface CleanOptions {
  /** Deletes journals that were last used this many days ago, or earlier. */
  days: number;
  all?: true;
  yes?: true;
}

/** A journal of an import. */
interface Listed {
  path: string;
  importId: string;
  baseUrl: string;
  lastUsed: string;
  added: number;
  /** Rows without a response. */
  uncertain: number;
}

const columns: Record<string, Column<Listed>> = {
  importId: { isFlexible: true },
  baseUrl: { isFlexible: true },
  lastUsed: {},
  added: { isNumber: true },
  uncertain: { isNumber: true },
};

const dayMs = 24 * 60 * 60 * 1000;

export async function cleanImports(context: Context, { days, all, yes }: CleanOptions): Promise<void> {
  const { terminal, note } = context;
  const output = openOutput(context);
  const directory = journalDirectory(terminal);
  const newest = all === true ? Infinity : terminal.now() - days * dayMs;
  const found: Listed[] = [];
  const listedAt = new Map<string, number>();
  for (const name of journalNames(directory)) {
    const path = join(directory, name);
    const { mtimeMs } = statSync(path);
    if (mtimeMs > newest) continue;
    const journal = await describeJournal(context, path, mtimeMs);
    if (journal === undefined) note("kept the journal of an import that is running");
    else {
      found.push(journal);
      listedAt.set(path, mtimeMs);
    }
  }
  if (found.length === 0) {
    note(
      all === true ? "there are no journals to delete" : `no journal is older than ${days} days. See all with --all`,
    );
    return;
  }
  await printPages(output, columns, [found]);
  const [journals, again] = found.length === 1 ? ["this journal", "its file"] : [`${found.length} journals`, "a file"];
  const question = `Delete ${journals}? Importing ${again} again would add its animals again`;
  if (yes !== true && !(await confirm(terminal, question))) return;
  const deleted = [...listedAt].filter(([path, mtimeMs]) => deleteUnchanged(path, mtimeMs)).length;
  if (deleted < found.length) note("kept a journal that was used in the meantime");
  note(`deleted ${deleted === 1 ? "one journal" : `${deleted} journals`}`);
}

/** Keeps a journal that an import has used since it was listed: every run writes to its journal. */
function deleteUnchanged(path: string, mtimeMs: number): boolean {
  const isUnchanged = statSync(path, { throwIfNoEntry: false })?.mtimeMs === mtimeMs;
  if (isUnchanged) rmSync(path, { force: true });
  return isUnchanged;
}

function journalNames(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".journal"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** @returns `undefined` if an import uses it */
async function describeJournal({ terminal }: Context, path: string, mtimeMs: number): Promise<Listed | undefined> {
  const { rows, runs } = await readJournal(path);
  const running = new Set<number>();
  let [importId, baseUrl] = ["", ""];
  for (const run of runs) {
    if ("ended" in run) running.delete(run.ended);
    else {
      running.add(run.processId);
      ({ importId, baseUrl } = run);
    }
  }
  if ([...running].some((processId) => terminal.isOwnProcess(processId))) return undefined;
  const added = [...rows.values()].filter((row) => typeof row === "string").length;
  const lastUsed = new Date(mtimeMs).toISOString().replace(/\.\d+/, "");
  return { path, importId, baseUrl, lastUsed, added, uncertain: rows.size - added };
}
