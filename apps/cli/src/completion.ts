import type { Argument, Command, Option } from "commander";

/** What could be typed next, and what it means. */
export interface Candidate {
  value: string;
  description: string;
}

/** Stands in the response where the name of a file is wanted: the shell knows files better. */
const fileMarker = ":files";

/** Values that only this machine knows, by the flag or argument that takes them. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

/**
 * What could follow on a command line.
 * @param program the commands, as they are parsed
 * @param words behind `petstore`, up to the cursor; the last one is the word that is being typed, and may be empty
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

/** Where the cursor is, after the words before it: how many arguments the command has, and the option whose value comes next. */
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
      // What follows `help` is the command that it is about.
      else if (word !== "help") position.command = subcommand;
    }
  }
  return position;
}

function split(word: string): [flag: string, value?: string] {
  const at = word.indexOf("=");
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

function visibleCommands(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}

/** The options of a command, and those of all commands. */
export function optionsOf(command: Command): readonly Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

function findOption(command: Command, flag: string): Option | undefined {
  return optionsOf(command).find(({ short, long }) => flag === short || flag === long);
}

function flagsOf(command: Command): Candidate[] {
  return optionsOf(command).flatMap(({ long, description }) => (long ? { value: long, description } : []));
}

function valuesOf(taker: Argument | Option, known: KnownValues): Candidate[] {
  const values = taker.name() === "file" ? [fileMarker] : (taker.argChoices ?? known[taker.name()] ?? []);
  return values.map((value) => ({ value, description: "" }));
}

function matching(candidates: readonly Candidate[], start: string): Candidate[] {
  return candidates.filter(({ value }) => value === fileMarker || value.startsWith(start));
}
