import * as fs from "node:fs";
import { unwritable, UsageError } from "../failure.ts";
import { pathOf, type Terminal } from "../terminal.ts";
import type { Row } from "./row.ts";
import type { Source } from "./source.ts";

/** The ids of the animals that were added, in the order of the rows. */
export interface IdList extends Disposable {
  /** Call once for every row. @param id `undefined` if it was not added */
  set(row: Row, id: string | undefined): void;
  /** Call after the last row. */
  finish(): void;
}

export const noIds: IdList = { set() {}, finish() {}, [Symbol.dispose]() {} };

const flushLength = 64 * 1024;

/**
 * Replaces a file by a line of JSON for every animal. Rows that an earlier run added are included, so after an interruption the next
 * run writes the complete file.
 * @throws {UsageError} if it cannot be written
 */
export function openIds(terminal: Terminal, file: string, source: Source): IdList {
  const path = pathOf(terminal, file);
  const writing = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw unwritable(file, error);
    }
  };
  if (source.path !== undefined && fs.existsSync(path) && fs.realpathSync.native(path) === source.path) {
    throw new UsageError(`${file} has the rows: --ids would replace them`);
  }
  const output = writing(() => fs.openSync(path, "w"));
  /** Rows after one that has no response yet. */
  const waiting = new Map<number, string>();
  let nextNumber = 1;
  let text = "";
  const flush = (): void => {
    const part = text;
    // First, so that nothing is written twice after a failure.
    text = "";
    writing(() => fs.writeFileSync(output, part));
  };

  return {
    set({ number, line }, id) {
      waiting.set(number, id === undefined ? "" : `{"row":${number},"line":${line},"id":${id}}\n`);
      for (let next = waiting.get(nextNumber); next !== undefined; next = waiting.get(nextNumber)) {
        waiting.delete(nextNumber++);
        text += next;
      }
      if (text.length >= flushLength) flush();
    },
    finish: flush,
    [Symbol.dispose]() {
      // If the import was stopped, some rows have no response.
      text += [...waiting]
        .toSorted(([left], [right]) => left - right)
        .map(([, next]) => next)
        .join("");
      try {
        flush();
      } catch {
        // Another error is being reported already.
      }
      fs.closeSync(output);
    },
  };
}
