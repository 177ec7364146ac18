import { createReadStream, realpathSync, statSync, type Stats } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import { unreadable, UsageError } from "../../../failure.ts";
import type { Terminal } from "../../../types.ts";
import { pathOf } from "../../input.ts";

export interface Source {
  /** The name of the file in messages. */
  name: string;
  importId: string;
  /** In bytes; `undefined` if unknown. */
  size: number | undefined;
  /**
   * @param signal ends the reading, even while it waits for input
   * @throws {UsageError} during iteration, if the source cannot be read
   */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/**
 * A file is identified by its path, so that it can be corrected and imported again. Standard input
 * and pipes have none.
 * @throws {UsageError} if it cannot be read, or has no id
 */
export function openSource(terminal: Terminal, file: string, givenId: string | undefined): Source {
  const name = file === "-" ? "<stdin>" : file;
  const path = pathOf(terminal, file);
  let status: Stats | undefined;
  try {
    status = file === "-" ? undefined : statSync(path);
  } catch (error) {
    throw unreadable(name, error);
  }
  const isFile = status?.isFile() === true;
  // In the case that the file system stores: `Rows.csv` and `rows.csv` may be one file.
  const importId = givenId ?? (isFile ? realpathSync.native(path) : undefined);
  if (importId === undefined) {
    throw new UsageError(
      `${name} needs --import-id, because it is not a file`,
      "Choose a name, and use it again to continue this import",
    );
  }
  return {
    name,
    importId,
    size: isFile ? status?.size : undefined,
    async *open(signal) {
      try {
        yield* addAbortSignal(
          signal,
          file === "-" ? (terminal.stdin as Readable) : createReadStream(path),
        );
      } catch (error) {
        signal.throwIfAborted();
        throw unreadable(name, error);
      }
    },
  };
}
