import { open } from "node:fs/promises";
import { CommandError, exitCodes, type Terminal } from "../command.ts";

/** The source of the lines. */
export interface Input {
  /** The name to show in messages. */
  name: string;
  chunks: AsyncIterable<Buffer>;
  /** Its size, if known. */
  bytes?: number;
}

/** Opens a file, or standard input for `-`. */
export async function withInput<Result>(
  { stdin }: Terminal,
  file: string,
  work: (input: Input) => Promise<Result>,
): Promise<Result> {
  if (file === "-") return await work({ name: "standard input", chunks: stdin as AsyncIterable<Buffer> });
  await using handle = await open(file).catch((error: Error): never => {
    throw new CommandError(exitCodes.usage, `${file} cannot be read: ${error.message}`);
  });
  const status = await handle.stat();
  if (status.isDirectory()) throw new CommandError(exitCodes.usage, `${file} cannot be read: it is a directory`);
  const chunks = handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>;
  return await work({ name: file, chunks, ...(status.isFile() && { bytes: status.size }) });
}
