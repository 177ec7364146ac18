import { fstatSync, writeSync } from "node:fs";
import type { TerminalOutput } from "../types.ts";

/** A new pipe takes this much at once on every system. */
const pipeBytes = 16_384;

/**
 * Standard output or standard error. Node takes milliseconds to load its streams, so the first short texts for a file or a pipe are
 * written without one. Longer output may have to wait for its reader: Ctrl-C can interrupt a stream, but not a direct write.
 * @param open returns the stream of Node
 */
export function standardOutput(fd: 1 | 2, platform: NodeJS.Platform, open: () => NodeJS.WriteStream): TerminalOutput {
  // Node handles the errors of pipes on Windows.
  if (platform === "win32" || !isFileOrPipe(fd)) return withoutThrowing(open());
  let stream: NodeJS.WriteStream | undefined;
  let room = pipeBytes;
  return {
    write(text, done) {
      const bytes = Buffer.from(text);
      room -= bytes.length;
      let written = 0;
      try {
        if (room >= 0 && stream === undefined) written = writeNow(fd, bytes);
      } catch (error) {
        done?.(error as Error);
        return;
      }
      if (stream === undefined && written === bytes.length) done?.();
      else (stream ??= withoutThrowing(open())).write(bytes.subarray(written), done);
    },
  };
}

/** A failed write is reported to its caller. Without a listener the process would end here. */
function withoutThrowing(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  return stream.on("error", () => {});
}

/** A program that starts this one may use a socket as a pipe. */
function isFileOrPipe(fd: number): boolean {
  try {
    const status = fstatSync(fd);
    return status.isFile() || status.isFIFO() || status.isSocket();
  } catch {
    return false;
  }
}

/** Returns how many bytes were written. @throws {Error} EPIPE if the reader of the output is gone */
function writeNow(fd: number, bytes: Uint8Array): number {
  try {
    return bytes.length === 0 ? 0 : writeSync(fd, bytes);
  } catch (error) {
    // The pipe is full.
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
    throw error;
  }
}
