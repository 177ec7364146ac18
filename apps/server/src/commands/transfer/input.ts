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

/**
 * Opens a file, or standard input for `-`. What can be read only once, like a pipe, is copied to a
 * private file first.
 */
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
  if (status.isDirectory())
    throw new CommandError(exitCodes.usage, `${file} cannot be read: it is a directory`);
  if (status.isFile()) return await work(inputOf(file, handle, status));
  return await withCopy(
    file,
    handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>,
    work,
  );
}

function inputOf(name: string, handle: FileHandle, { size }: Stats): Input {
  const read = () =>
    handle.createReadStream({ autoClose: false, start: 0 }) as AsyncIterable<Buffer>;
  return { name, read, bytes: size };
}

async function withCopy<Result>(
  name: string,
  chunks: AsyncIterable<Buffer>,
  work: (input: Input) => Promise<Result>,
): Promise<Result> {
  await using handle = await openCopy().catch((error: NodeJS.ErrnoException): never =>
    failToCopy(name, error),
  );
  await writeFile(handle, chunks).catch((error: NodeJS.ErrnoException): never => {
    if (error.syscall === "write") failToCopy(name, error);
    throw error; // the source cannot be read
  });
  return await work(inputOf(name, handle, await handle.stat()));
}

/** A private file without a name, which exists until it is closed. */
async function openCopy(): Promise<FileHandle> {
  using directory = mkdtempDisposableSync(join(tmpdir(), "petstore-import-"));
  return await open(join(directory.path, "input"), "wx+", 0o600);
}

function failToCopy(name: string, { message }: Error): never {
  const advice = "set TMPDIR to a directory with room that can be written, or import a file";
  throw new CommandError(
    exitCodes.unexpected,
    `${name} cannot be copied to ${tmpdir()}: ${message}: ${advice}`,
  );
}
