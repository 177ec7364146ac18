import { mkdtempDisposableSync, type Stats } from "node:fs";
import { open, writeFile, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandError, exitCodes, type Terminal } from "../command.ts";

/** The source of the lines. */
export interface Input {
  /** The name to show in messages. */
  name: string;
  /** Reads it from the beginning. */
  read: () => AsyncIterable<Buffer>;
  /** Its size. */
  bytes: number;
}

/** Opens a file, or standard input for `-`. What can be read only once, like a pipe, is copied to a private file first. */
export async function withInput<Result>(
  { stdin }: Terminal,
  file: string,
  work: (input: Input) => Promise<Result>,
): Promise<Result> {
  if (file === "-") return await withCopy("standard input", stdin as AsyncIterable<Buffer>, work);
  await using handle = await open(file).catch((error: Error): never => {
    throw new CommandError(exitCodes.usage, `${file} cannot be read: ${error.message}`);
  });
  const status = await handle.stat();
  if (status.isDirectory()) throw new CommandError(exitCodes.usage, `${file} cannot be read: it is a directory`);
  if (status.isFile()) return await work(inputOf(file, handle, status));
  return await withCopy(file, handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>, work);
}

function inputOf(name: string, handle: FileHandle, { size }: Stats): Input {
  const read = () => handle.createReadStream({ autoClose: false, start: 0 }) as AsyncIterable<Buffer>;
  return { name, read, bytes: size };
}

async function withCopy<Result>(
  name: string,
  chunks: AsyncIterable<Buffer>,
  work: (input: Input) => Promise<Result>,
): Promise<Result> {
  const directory = mkdtempDisposableSync(join(tmpdir(), "petstore-import-"));
  const copy = join(directory.path, "input");
  await using handle = await open(copy, "wx+", 0o600).finally(() => directory.remove()); // exists until the handle is closed
  await writeFile(handle, chunks);
  return await work(inputOf(name, handle, await handle.stat()));
}
