import { openContext, type Context, type GlobalFlags } from "./context.ts";
import { describe, explain } from "./explain.ts";
import { exitCodes, type ExitCode } from "./failure.ts";
import { isJson } from "./formats.ts";
import { destination, withoutKey } from "./settings.ts";
import { painter, type Terminal } from "./terminal.ts";

/**
 * Reports an error on standard error, in the chosen format.
 * @param context that of the command, which knows its key
 */
export function report(
  terminal: Terminal,
  error: unknown,
  flags: GlobalFlags,
  context = tryContext(terminal, flags),
): ExitCode {
  const failure = explain(error, context && destination(context.settings));
  if (failure === undefined) return exitCodes.ok;
  const wantsJson = context?.wantsJson ?? isJson(flags.output ?? terminal.environment["PETSTORE_OUTPUT"]);
  const paint = context?.paintError ?? painter(terminal, terminal.stderr, "auto");
  const text = describe(failure, wantsJson, paint);
  terminal.stderr.write(context === undefined ? text : withoutKey(context.settings, text));
  return failure.exitCode;
}

/** The context of an error before any command runs. The error may be in the settings. */
function tryContext(terminal: Terminal, flags: GlobalFlags): Context | undefined {
  try {
    return openContext(terminal, flags);
  } catch {
    return undefined;
  }
}
