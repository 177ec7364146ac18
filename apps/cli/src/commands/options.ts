import { idempotencyWindowMs } from "@petstore/contract/values";
import { InvalidArgumentError, Option, type Command } from "commander";

/** How long the service remembers the key of a request. */
export const idempotencyWindow = `${idempotencyWindowMs / 3_600_000} hours`;

/** A command line, and what it does. */
type Example = readonly [explanation: string, commandLine: string];

/** Adds examples to the help text of a command. They begin with `petstore`. */
export function withExamples(command: Command, ...examples: readonly Example[]): Command {
  const lines = examples.map(([explanation, commandLine]) => `  # ${explanation}\n  $ ${commandLine}`);
  return command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

/** A flag that may be given several times. Its value is the list of their values. */
export function repeated(flags: string, description: string): Option {
  return new Option(flags, description).argParser<string[] | undefined>((text, earlier) => [...(earlier ?? []), text]);
}

export function addSelection(command: Command): Command {
  const json = new Option("--json [fields]", "print only these fields, as JSON; separate them with commas");
  return addFilter(command.addOption(json));
}

/** The option that works with any JSON. */
export function addFilter(command: Command): Command {
  return command.option("--jq <expression>", "filter the JSON with a jq expression, like .id");
}

export function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= minimum && number <= maximum) return number;
    const upTo = maximum === Number.MAX_SAFE_INTEGER ? "" : ` to ${maximum}`;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum}${upTo}.`);
  };
}
