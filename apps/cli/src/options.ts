import { idempotencyWindowMs } from "@petstore/contract/values";
import { Argument, InvalidArgumentError, Option, type Command, type CommanderError } from "commander";
import leven from "leven";

export function choice(flags: string, description: string, choices: readonly string[]): Option {
  return new Option(flags, description).choices(choices).argParser(oneOf(choices));
}

/** How long the service remembers the key of a request. */
export const idempotencyWindow = `${idempotencyWindowMs / 3_600_000} hours`;

const repeatable = new WeakSet<Option>();

/** A flag that may be given several times. Its value is the list of their values. */
export function repeated(flags: string, description: string): Option {
  const option = new Option(flags, description);
  repeatable.add(option);
  return option.argParser<string[] | undefined>((text, earlier) => [...(earlier ?? []), text]);
}

/** Whether a flag has a value and may be given only once. */
export function isSingleValued(option: Option): boolean {
  return (option.required || option.optional) && !option.variadic && !repeatable.has(option);
}

export function choiceArgument(name: string, description: string, choices: readonly string[]): Argument {
  return new Argument(name, description).choices(choices).argParser(oneOf(choices));
}

function oneOf(choices: readonly string[]): (text: string) => string {
  return (text) => {
    if (choices.includes(text)) return text;
    throw new InvalidArgumentError(`It must be one of ${choices.join(", ")}.${suggestion(text, choices)}`);
  };
}

/** Names that people try, of commands that are called otherwise. */
const otherNames: Readonly<Record<string, string>> = {
  ls: "list",
  add: "create",
  new: "create",
  show: "get",
  view: "get",
  info: "get",
  signin: "login",
  signout: "logout",
  edit: "update",
  set: "update",
  change: "update",
  whoami: "status",
  open: "docs",
};

/** Advice for the flags of gh and curl that have another name here. */
const otherFlags: readonly (readonly [flags: string, advice: string])[] = [
  ["-X --method --request", "Write the method before the path, as in petstore api GET pets"],
  ["-d --data", "Use -f name=value, -F name=value or --input FILE"],
  ["--json", "Use --output json"],
  ["--format", "Use --output"],
  ["--no-color", "Use --color never"],
  ["--silent", "Use --quiet"],
  ["--debug", "Use --verbose"],
  ["-u --api-key --token", "Save an API key with: petstore auth login"],
];

/** What people try, and the API has no operation for. */
const missingCommands: Readonly<Record<string, string>> = Object.fromEntries(
  ["delete", "rm", "remove"].map((name) => [name, "The API cannot delete animals"]),
);

/** The choice that a mistyped word means; `undefined` if none is similar. */
export function nearest(text: string, choices: readonly string[]): string | undefined {
  const word = text.toLowerCase();
  const [found] = choices
    .map((known) => ({ known, distance: typingDistance(word, known) }))
    .toSorted((left, right) => left.distance - right.distance);
  const other = otherNames[word];
  if (other !== undefined && choices.includes(other)) return other;
  return found !== undefined && found.distance <= Math.max(1, found.known.length / 3) ? found.known : undefined;
}

/** The number of mistakes between two words. Two letters that changed places are one mistake. */
function typingDistance(left: string, right: string): number {
  const distance = leven(left, right);
  return distance === 2 && lettersOf(left) === lettersOf(right) ? 1 : distance;
}

function lettersOf(word: string): string {
  return word.split("").toSorted().join("");
}

/** Suggests the choice closest to a mistyped word, in the parser's format; empty if none is similar. */
export function suggestion(text: string, choices: readonly string[]): string {
  const found = nearest(text, choices);
  return found === undefined ? "" : `\n(Did you mean ${found}?)`;
}

/** A hint for an unknown command or flag. */
export function suggestionFor(command: Command, { code, message }: CommanderError): string | undefined {
  const [, word = ""] = /'([^'=]*)/.exec(message) ?? [];
  const help = command.createHelp();
  let choices: string[] = [];
  if (code === "commander.unknownCommand") {
    if (command.name() === "pets" && Object.hasOwn(missingCommands, word)) return missingCommands[word];
    choices = help.visibleCommands(command).map((each) => each.name());
  }
  if (code === "commander.unknownOption") {
    const flag = word.startsWith("--") ? word : word.slice(0, 2);
    const [, advice] = otherFlags.find(([flags]) => flags.split(" ").includes(flag)) ?? [];
    if (advice !== undefined) return advice;
  }
  if (code === "commander.unknownOption" && word.startsWith("--")) {
    const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
    choices = options.flatMap(({ long }) => long ?? []);
  }
  const found = nearest(word, choices);
  return found && `Did you mean ${found}?`;
}

export function wholeNumber(minimum: number, maximum: number, advice = ""): (text: string) => number {
  return (text) => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= minimum && number <= maximum) return number;
    const upTo = maximum === Number.MAX_SAFE_INTEGER ? "" : ` to ${maximum}`;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum}${upTo}. ${advice}`.trimEnd());
  };
}
