import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { unreadable } from "../failure.ts";
import { pathOf, type Terminal } from "../terminal.ts";

export interface Source extends Disposable {
  /** What the rows of a report are named after. */
  name: string;
  /** What tells this import from others. */
  importId: string;
  /** Whether that is the hash of its content, so that it is another import once it is mended. */
  isKnownByContent: boolean;
  /** In bytes; `undefined` when nobody knows. */
  size: number | undefined;
  /**
   * @param signal ends the reading, also while it waits for more
   * @throws {UsageError} while it is walked, when it cannot be read
   */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/**
 * A file is known by its path, so that it can be mended and imported again. Standard input has no path: it is copied first, and
 * known by its content, unless an import id is given.
 * @throws {UsageError} when it cannot be read
 */
export async function openSource(terminal: Terminal, file: string, importId: string | undefined): Promise<Source> {
  const name = file === "-" ? "<stdin>" : file;
  const path = pathOf(terminal, file);
  try {
    const status = file === "-" ? undefined : fs.statSync(path);
    if (status?.isFile()) {
      const realPath = fs.realpathSync(path);
      return source(name, importId ?? realPath, status.size, () => fs.createReadStream(realPath));
    }
    if (status?.isFIFO()) terminal.signal.addEventListener("abort", () => endOpening(path));
    const open = (): Readable => (file === "-" ? terminal.stdin : fs.createReadStream(path)) as Readable;
    if (importId !== undefined) return source(name, importId, undefined, open);
    return await copySource(name, open(), terminal.signal);
  } catch (error) {
    throw unreadable(name, error, path);
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
  const path = join(directory, "rows.ndjson");
  const hash = createHash("sha256");
  try {
    fs.writeFileSync(path, "", { mode: 0o600 });
    for await (const piece of addAbortSignal(signal, chunks)) {
      hash.update(piece as Uint8Array);
      fs.appendFileSync(path, piece as Uint8Array);
    }
  } catch (error) {
    remove();
    throw error;
  }
  const { size } = fs.statSync(path);
  return {
    ...source(name, `content-${hash.digest("base64url")}`, size, () => fs.createReadStream(path)),
    isKnownByContent: true,
    [Symbol.dispose]: remove,
  };
}

/**
 * Opening a named pipe waits until somebody writes to it, and nothing but a writer ends that, not even the exit of the process. This
 * one stays until then.
 */
function endOpening(pipe: string): void {
  try {
    fs.openSync(pipe, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  } catch {
    // It may only be read: whoever writes to it ends the wait.
  }
}
