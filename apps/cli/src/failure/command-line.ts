import type { CommanderError } from "commander";
import { UsageError } from "./failure.ts";

/**
 * Turns a wrong command line into a usage error. Returns the error unchanged if the parser has printed help or the version.
 * @param commandLine the part of the command line that the parser understood
 */
export function explainStop(stop: CommanderError, commandLine: string): Error {
  if (stop.exitCode === 0 || stop.code === "commander.help") return stop;
  // The parser adds its suggestion in parentheses after the message.
  const [, message = "", suggestion] = /^(?:error: )?(.*?)(?:\n\((.*)\))?$/s.exec(stop.message) ?? [];
  // Values may be keys: of a surplus argument, and of an unknown flag.
  const shown = message.replace(/(?<=but got \d+): .*/s, ".").replace(/^(unknown option '--[^=']+)=.*/s, "$1'");
  return new UsageError(shown, suggestion ?? `See ${commandLine} --help`);
}
