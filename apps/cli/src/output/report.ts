import { visible, visibleLines } from "@petstore/contract/visible";
import { explain } from "../explain-failure.ts";
import { exitCodes, type ExitCode, type Failure } from "../failure.ts";
import { formatFor, isJson } from "../settings/definitions.ts";
import { destination } from "../settings/resolve.ts";
import type { Context, Flags, Paint, Terminal } from "../types.ts";
import { painter } from "./print.ts";

/**
 * Reports an error on standard error, in the form of the output in effect.
 * @param context that of the command, which knows its key; `undefined` if none has started
 */
export function report(
  terminal: Terminal,
  error: unknown,
  flags: Flags,
  context: Context | undefined,
): ExitCode {
  const failure = explain(error, context && destination(context.settings));
  if (failure === undefined) return exitCodes.ok;
  const chosen = flags.output ?? terminal.environment["PETSTORE_OUTPUT"];
  const wantsJson = context?.wantsJson ?? isJson(formatFor(terminal, chosen));
  const text = wantsJson ? asJson(failure) : asText(failure, painter(terminal, terminal.stderr));
  terminal.stderr.write(text);
  return failure.exitCode;
}

function asJson({ code, message, status, requestId, hint, choices, exitCode }: Failure): string {
  return `${visible(JSON.stringify({ error: { code, message, status, requestId, hint, choices, exitCode } }))}\n`;
}

function asText({ code, message, requestId, hint, choices = [] }: Failure, paint: Paint): string {
  // Only a stack keeps its lines: a server's message must not be able to imitate several lines.
  const text = code === "unexpected" ? visibleLines(message) : visible(message);
  const lines = [
    `${paint(["bold", "red"], "error:")} ${text}`,
    `${paint("bold", "hint:")} ${visible(hint)}`,
  ];
  lines.push(...choices.map((choice) => `  ${visible(choice)}`));
  if (requestId !== undefined) lines.push(`request id: ${visible(requestId)}`);
  return `${lines.join("\n")}\n`;
}
