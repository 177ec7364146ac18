import type { Argument, Command, Option } from "commander";

/** A possible next word, and its meaning. */
export interface Candidate {
  value: string;
  description: string;
}

/** Asks the shell to complete file names itself. */
const fileMarker = ":files";

/** Values known only on this machine, by the name of their flag or argument. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

/**
 * Finds possible next words of a command line.
 * @param words the words after `petstore`, up to the cursor. The last one is being typed and may be empty.
 */
export function complete(program: Command, words: readonly string[], known: KnownValues): Candidate[] {
  const { command, argumentIndex, pending, areOptionsOver } = readWords(program, words.slice(0, -1));
  const current = words.at(-1) ?? "";
  if (pending !== undefined) return matching(valuesOf(pending, known), current);
  if (!areOptionsOver && current.startsWith("-")) {
    const [flag, value] = split(current);
    if (value === undefined) return matching(flagsOf(command), current);
    const option = findOption(command, flag);
    const values = option?.required === true ? valuesOf(option, known) : [];
    return matching(values, value).map((found) =>
      found.value === fileMarker ? found : { ...found, value: `${flag}=${found.value}` },
    );
  }
  const argument = command.registeredArguments[argumentIndex];
  const values = argument === undefined ? [] : valuesOf(argument, known);
  const subcommands = argumentIndex === 0 ? visibleCommands(command) : [];
  const named = subcommands.map((each) => ({ value: each.name(), description: each.description() }));
  return matching([...named, ...values], current);
}

/** The position after some words: the command, the number of its arguments, and the option that needs a value next. */
function readWords(program: Command, words: readonly string[]) {
  const pending = undefined as Option | undefined;
  const position = { command: program, argumentIndex: 0, pending, areOptionsOver: false };
  for (const word of words) {
    if (position.pending !== undefined) position.pending = undefined;
    else if (word === "--") position.areOptionsOver = true;
    else if (word.startsWith("-") && !position.areOptionsOver) {
      const [flag, value] = split(word);
      const option = findOption(position.command, flag);
      if (option?.required === true && value === undefined) position.pending = option;
    } else {
      const subcommands = position.argumentIndex === 0 ? visibleCommands(position.command) : [];
      const subcommand = subcommands.find((each) => each.name() === word);
      if (subcommand === undefined) position.argumentIndex++;
      // `help` is followed by the name of a command.
      else if (word !== "help") position.command = subcommand;
    }
  }
  return position;
}

function split(word: string): [flag: string, value?: string] {
  const at = word.indexOf("=");
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

/** The commands that help shows. */
function visibleCommands(command: Command): readonly Command[] {
  const isRoot = command.parent === null;
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => isRoot || each.name() !== "help");
}

/** The options of a command, including those of every command. */
function optionsOf(command: Command): readonly Option[] {
  const { parent } = command;
  return [...command.createHelp().visibleOptions(command), ...(parent === null ? [] : rootOf(parent).options)];
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

function findOption(command: Command, flag: string): Option | undefined {
  return optionsOf(command).find(({ short, long }) => flag === short || flag === long);
}

function flagsOf(command: Command): Candidate[] {
  return optionsOf(command).flatMap(({ long, description }) => (long ? { value: long, description } : []));
}

function valuesOf(target: Argument | Option, known: KnownValues): Candidate[] {
  const isFile = ["file", "input"].includes(target.name()) || ("flags" in target && target.flags.endsWith(" <file>"));
  const values = isFile ? [fileMarker] : (target.argChoices ?? known[target.name()] ?? []);
  return values.map((value) => ({ value, description: "" }));
}

function matching(candidates: readonly Candidate[], start: string): Candidate[] {
  return candidates.filter(({ value }) => value === fileMarker || value.startsWith(start));
}
