import { isCancel, password } from "@clack/prompts";
import type { Terminal } from "./terminal.ts";

/** Asks the person at the terminal for something that nobody else should see. `undefined` at Ctrl-C. */
export async function promptForSecret(
  { stdin, stderr, signal }: Terminal,
  message: string,
): Promise<string | undefined> {
  const answer = await password({
    message,
    input: stdin as NodeJS.ReadStream,
    output: stderr as NodeJS.WriteStream,
    signal,
  });
  return isCancel(answer) ? undefined : (answer ?? "");
}
