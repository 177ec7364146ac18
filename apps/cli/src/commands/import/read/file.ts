import type { CategoryNames } from "@petstore/contract/categories";
import { UsageError } from "../../../failure.ts";
import type { Context } from "../../../types.ts";
import { hasOption } from "./problems.ts";
import { readContent, type Row } from "./rows.ts";
import { sheetOptions, type SheetOptions } from "./sheet-options.ts";
import { readAnimals, type ReadSheet } from "./sheet.ts";
import { openSource, type Source } from "./source.ts";

/** Which import a file is, in options. */
interface ImportedFile {
  importId?: string;
  dryRun?: true;
}

/** A file whose content is known. */
export interface Opened {
  source: Source;
  stop: AbortController;
  /** Its rows, if it is NDJSON. */
  rows?: AsyncGenerator<Row>;
  /** What it means, if it is a sheet. */
  read?: ReadSheet;
}

/** Opens a file, which its content shows to be NDJSON or a sheet. */
export async function openFile(
  context: Context,
  file: string,
  options: SheetOptions & ImportedFile,
  categories: CategoryNames,
): Promise<Opened> {
  const source = openSource(context.terminal, file, options.dryRun ? "dry run" : options.importId);
  const stop = new AbortController();
  const content = await readContent(
    source.name,
    source.open(AbortSignal.any([context.terminal.signal, stop.signal])),
  );
  if ("rows" in content) {
    refuseSheetOptions(source.name, options);
    return { source, stop, rows: content.rows };
  }
  const read = await readAnimals(context, source.name, content.sheet, options, categories);
  return { source, stop, read };
}

/** @throws {UsageError} if an option would do nothing, because the file is no sheet */
function refuseSheetOptions(file: string, options: SheetOptions): void {
  const names = sheetOptions.filter(
    (option) => !["yes", "categories"].includes(option.attributeName()),
  );
  const given = names.find((option) => option.attributeName() in options);
  if (!given) return;
  throw new UsageError(
    `${given.long} is for sheets, and ${file} is empty or NDJSON`,
    "Check the file, or leave it out",
  );
}

/** Whether options can say what rejected rows mean. */
export function canBeSaid({ read }: Opened): boolean {
  return read?.sheet.problems.some(hasOption) === true;
}
