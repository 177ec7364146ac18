import { fstatSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { visible } from "@petstore/contract/visible";
import type { Store } from "@petstore/service";
import { withStore, type Terminal } from "../command.ts";
import { collections, type Collection } from "./collections.ts";
import { showProgress, type Progress } from "./progress.ts";

/** Prints a collection as NDJSON. `import` reads it back. */
export async function exportCollection(terminal: Terminal, collection: Collection): Promise<void> {
  const { stdout } = terminal;
  const show = stdout.isTTY === true ? visible : (line: string) => line;
  async function* text(store: Store, progress: Progress | undefined): AsyncGenerator<string> {
    let printed = 0;
    for await (const lines of collections[collection].exportLines(store)) {
      if (lines.length > 0) yield lines.map((line) => `${show(line)}\n`).join("");
      printed += lines.length;
      progress?.update(printed);
    }
  }
  await withStore(terminal, { mustExist: true }, async (store) => {
    using progress = isFile(stdout)
      ? showProgress(terminal, `{value} ${collection} printed`)
      : undefined;
    await pipeline(Readable.from(text(store, progress)), stdout, { end: false });
  });
}

/**
 * Anything else may lead to the terminal that shows the progress: a pipe by the program that reads
 * it, such as `less`.
 */
function isFile({ fd }: Terminal["stdout"]): boolean {
  return fd !== undefined && fstatSync(fd).isFile();
}
