import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { visible } from "@petstore/contract";
import type { Store } from "@petstore/service";
import { withStore, type Terminal } from "../command.ts";
import { collections, type Collection } from "./collections.ts";

/** Prints a collection as NDJSON. `import` reads it back. */
export async function exportCollection(terminal: Terminal, collection: Collection): Promise<void> {
  const { stdout } = terminal;
  const show = stdout.isTTY === true ? visible : (line: string) => line;
  async function* text(store: Store): AsyncGenerator<string> {
    for await (const lines of collections[collection].exportLines(store)) {
      if (lines.length > 0) yield lines.map((line) => `${show(line)}\n`).join("");
    }
  }
  await withStore(terminal, { mustExist: true }, (store) =>
    pipeline(Readable.from(text(store)), stdout, { end: false }),
  );
}
