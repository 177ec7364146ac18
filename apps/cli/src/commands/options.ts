import { idempotencyWindowMs } from "@petstore/contract/rules";
import { InvalidArgumentError, type Command } from "commander";

/** How long the service remembers the key of a request. */
export const idempotencyWindow = `${idempotencyWindowMs / 3_600_000} hours`;

/** Adds examples to the help text of a command. They begin with `petstore`. */
export function withExamples(
  command: Command,
  ...examples: readonly (readonly [explanation: string, commandLine: string])[]
): Command {
  const lines = examples.map(
    ([explanation, commandLine]) => `  # ${explanation}\n  $ ${commandLine}`,
  );
  return command.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
}

export function addSelection(command: Command): Command {
  return command.option(
    "--json [fields]",
    "print only these fields, as JSON; separate them with commas",
  );
}

export function wholeNumber(
  minimum: number,
  maximum = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text) => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= minimum && number <= maximum) return number;
    const upTo = maximum === Number.MAX_SAFE_INTEGER ? "" : ` to ${maximum}`;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum}${upTo}.`);
  };
}
