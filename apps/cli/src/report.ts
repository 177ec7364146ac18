import { openContext, type Context, type GlobalFlags } from "./context.ts";
import { describe, explain } from "./explain.ts";
import { exitCodes, type ExitCode } from "./failure.ts";
import { isJson } from "./formats.ts";
import { destination, withoutKey } from "./settings.ts";
import { painter, type Terminal } from "./terminal.ts";

/** Reports an error on standard error, in the chosen format. */
export function report(terminal: Terminal, error: unknown, flags: GlobalFlags): ExitCode {
  let context: Context | undefined;
  try {
    context = openContext(terminal, flags);
  } catch {
    // The error may be in the settings.
  }
  const failure = explain(error, context && destination(context.settings));
  if (failure === undefined) return exitCodes.ok;
  const wantsJson = context?.wantsJson ?? isJson(flags.output ?? terminal.environment["PETSTORE_OUTPUT"]);
  const paint = context?.paintError ?? painter(terminal, terminal.stderr, "auto");
  const text = describe(failure, wantsJson, paint);
  terminal.stderr.write(context === undefined ? text : withoutKey(context.settings, text));
  return failure.exitCode;
}
