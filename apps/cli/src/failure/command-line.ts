import type { CommanderError } from "commander";
import { UsageError } from "./failure.ts";

/** What people type because other programs have it, and what to use here. */
const otherWords: readonly (readonly [words: string, advice: string])[] = [
  ["ls", "Use: petstore pets list"],
  ["add new", "Use: petstore pets create"],
  ["show view info", "Use: petstore pets get ID"],
  ["login signin", "Use: petstore auth login"],
  ["logout signout", "Use: petstore auth logout"],
  ["status whoami doctor", "Use: petstore auth status"],
  ["import", "Use: petstore pets import FILE"],
  ["delete rm remove", "The API cannot delete animals"],
  ["edit set change", "Use: petstore pets update ID"],
  ["-X --method --request", "Write the method before the path, as in petstore api GET pets"],
  ["-d --data", "Use -f name=value, -F name=value or --input FILE"],
  ["--json --format", "Use --output"],
  ["--max", "Use --limit"],
  ["--color --no-color", "Set NO_COLOR=1 or FORCE_COLOR=1"],
  ["--silent", "Use --quiet"],
  ["--debug --include -i", "Use --verbose"],
  ["-u --api-key --token", "Save an API key with: petstore auth login"],
];

/** The same for `petstore config`. */
const otherConfigWords: typeof otherWords = [
  ["get show ls view edit", "Use: petstore config list"],
  ["unset delete rm remove", 'Use: petstore config set KEY ""'],
];

/**
 * Turns a wrong command line into a usage error. Returns the error unchanged if the parser has printed help or the version.
 * @param commandLine the part of the command line that the parser understood
 */
export function explainStop(stop: CommanderError, commandLine: string): Error {
  if (stop.exitCode === 0 || stop.code === "commander.help") return stop;
  // The parser adds its suggestion in parentheses after the message.
  const [, message = "", suggestion] = /^(?:error: )?(.*?)(?:\n\((.*)\))?$/s.exec(stop.message) ?? [];
  // Values may be keys: of a surplus argument, and of an unknown flag.
  const shown = message
    .replace(/(?<=but got \d+): .*/s, ".")
    .replace(/^(unknown option '--[^=']+)=.*/s, "$1'")
    .replace(/^command-argument value ('.*?') is invalid for argument '([^']+)'/s, "argument <$2> $1 is invalid");
  return new UsageError(shown, adviceFor(stop, commandLine) ?? suggestion ?? `See ${commandLine} --help`);
}

function adviceFor({ code, message }: CommanderError, commandLine: string): string | undefined {
  if (!/unknown(?:Command|Option)$/.test(code)) return undefined;
  const [, word = ""] = /'([^'=]*)/.exec(message) ?? [];
  const flag = /^-[^-]/.test(word) ? word.slice(0, 2) : word;
  const isElsewhere = code.endsWith("Command") && !["petstore", "petstore pets"].includes(commandLine);
  const words = commandLine === "petstore config" ? otherConfigWords : isElsewhere ? [] : otherWords;
  const [, advice] = words.find(([others]) => others.split(" ").includes(flag)) ?? [];
  return advice;
}
