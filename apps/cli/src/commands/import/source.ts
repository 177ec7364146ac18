import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { unreadable } from "../../failure/failure.ts";
import type { Terminal } from "../../types.ts";
import { pathOf } from "../input.ts";

export interface Source extends Disposable {
  /** The name of the file in messages. */
  name: string;
  /** Identifies this import. */
  importId: string;
  /** Whether the id is the hash of the content. Then a corrected file is a new import. */
  isKnownByContent: boolean;
  /** In bytes; `undefined` if unknown. */
  size: number | undefined;
  /**
   * @param signal ends the reading, even while it waits for input
   * @throws {UsageError} during iteration, if the source cannot be read
   */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/**
 * A file is identified by its path, so that it can be corrected and imported again. Standard input has no path: unless an import id
 * is given, it is copied first and identified by its content.
 * @throws {UsageError} if it cannot be read
 */
export async function openSource(terminal: Terminal, file: string, importId: string | undefined): Promise<Source> {
  const name = file === "-" ? "<stdin>" : file;
  const path = pathOf(terminal, file);
  try {
    const status = file === "-" ? undefined : fs.statSync(path);
    if (status?.isFile()) {
      // In the case that the file system stores: `Rows.csv` and `rows.csv` may be one file.
      const realPath = fs.realpathSync.native(path);
      return source(name, importId ?? realPath, status.size, () => fs.createReadStream(realPath));
    }
    const open = (): Readable => (file === "-" ? terminal.stdin : fs.createReadStream(path)) as Readable;
    if (importId !== undefined) return source(name, importId, undefined, open);
    return await copySource(name, open(), terminal.signal);
  } catch (error) {
    throw unreadable(name, error);
  }
}

function source(name: string, importId: string, size: number | undefined, open: () => Readable): Source {
  return {
    name,
    importId,
    isKnownByContent: false,
    size,
    async *open(signal) {
      try {
        yield* addAbortSignal(signal, open());
      } catch (error) {
        signal.throwIfAborted();
        throw unreadable(name, error);
      }
    },
    [Symbol.dispose]() {},
  };
}

async function copySource(name: string, chunks: Readable, signal: AbortSignal): Promise<Source> {
  const directory = fs.mkdtempSync(join(tmpdir(), "petstore-import-"));
  const remove = (): void => fs.rmSync(directory, { recursive: true, force: true });
  const path = join(directory, "rows");
  const hash = createHash("sha256");
  try {
    fs.writeFileSync(path, "", { mode: 0o600 });
    for await (const piece of addAbortSignal(signal, chunks)) {
      hash.update(piece as Uint8Array);
      fs.appendFileSync(path, piece as Uint8Array);
    }
    const { size } = fs.statSync(path);
    const open = (): Readable => fs.createReadStream(path);
    const importId = `content-${hash.digest("base64url")}`;
    return { ...source(name, importId, size, open), isKnownByContent: true, [Symbol.dispose]: remove };
  } catch (error) {
    remove();
    throw error;
  }
}
