import { Interruption, UsageError } from "../../failure/failure.ts";
import type { Terminal } from "../../types.ts";

/**
 * Asks whether to do something that cannot be undone.
 * @throws {UsageError} if there is no terminal to ask on
 */
export async function confirm({ stdin, stderr, signal }: Terminal, message: string): Promise<boolean> {
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw new UsageError("This needs a confirmation, and there is no terminal to ask on", "Confirm it with --yes");
  }
  // Loaded only when needed.
  const { confirm: ask, isCancel } = await import("@clack/prompts");
  const [input, output] = [stdin as NodeJS.ReadStream, stderr as NodeJS.WriteStream];
  const isConfirmed = await ask({ message, initialValue: false, input, output, signal });
  signal.throwIfAborted();
  // The prompt reads Ctrl-C as a key, not as a signal.
  if (isCancel(isConfirmed)) throw new Interruption();
  return isConfirmed;
}
