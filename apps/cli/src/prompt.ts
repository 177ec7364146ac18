import { isCancel, password } from "@clack/prompts";
import { exitCodes } from "./exit-codes.ts";
import { Interruption } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

/** Asks the person at the terminal for something that nobody else should see. @throws {Interruption} at Ctrl-C */
export async function promptForSecret({ stdin, stderr, signal }: Terminal, message: string): Promise<string> {
  const answer = await password({
    message,
    input: stdin as NodeJS.ReadStream,
    output: stderr as NodeJS.WriteStream,
    signal,
  });
  // While the prompt reads single keys, Ctrl-C is one of them.
  if (isCancel(answer)) throw new Interruption(exitCodes.interrupted);
  return answer ?? "";
}
