import type { Command, Help, Option } from "commander";
import type { Paint } from "./terminal.ts";

/** A command line, and what it does. */
type Example = readonly [explanation: string, commandLine: string];

const examplesOf = new WeakMap<Command, readonly Example[]>();

/** Adds examples to the help text of a command. They begin with `petstore`. */
export function withExamples(command: Command, ...examples: readonly Example[]): Command {
  examplesOf.set(command, examples);
  return command;
}

/** The commands in the examples of a command's help text. */
export function exampleLines(command: Command): string[] {
  return (examplesOf.get(command) ?? []).map(([, commandLine]) => commandLine);
}

export const topics = {
  environment: "environment variables",
  "exit-codes": "exit codes, for scripts",
  formatting: "output formats",
} as const;
export type Topic = keyof typeof topics;

/** A heading and its lines. Sections without lines are left out. */
type Section = readonly [heading: string, lines: readonly string[]];

/** The help text of a command, in sections like those of `gh`. */
export function formatHelp(command: Command, width: number, paint: Paint): string {
  const isRoot = command.parent === null;
  const help = command.createHelp();
  const subcommands = help.visibleCommands(command).filter((each) => isRoot || each.name() !== "help");
  const groups = Object.groupBy(subcommands, (each) => each.helpGroup() || "COMMANDS");
  const usages = usagesOf(command, subcommands.length > 0).map((words) =>
    [pathOf(command), ...words, "[flags]"].join(" "),
  );
  const flags = items(help.visibleOptions(command).map(describeOption), width);
  const sections: Section[] = [
    [
      "USAGE",
      usages.flatMap((usage) => wrap(usage, width - 4).map((line, index) => indent(line, index === 0 ? 2 : 4))),
    ],
    ...Object.entries(groups).map(([heading, group = []]): Section => [
      heading,
      items(group.map(describeCommand), width),
    ]),
    [
      "ARGUMENTS",
      items(
        command.registeredArguments.map((each) => [`<${each.name()}>`, describe(each)]),
        width,
      ),
    ],
    [isRoot ? "GLOBAL FLAGS" : "FLAGS", flags],
    ["INHERITED FLAGS", isRoot ? [] : inheritedFlags(command, help, width)],
    ["HELP TOPICS", isRoot ? items(Object.entries(topics), width) : []],
    ["EXAMPLES", (examplesOf.get(command) ?? []).flatMap((example) => exampleText(example, width))],
    ["LEARN MORE", subcommands.length > 0 ? paragraph(learnMore(command), width) : []],
  ];
  const shown = sections.filter(([, lines]) => lines.length > 0);
  const texts = shown.map(([heading, lines]) => `${paint("bold", heading)}\n${lines.join("\n")}\n`);
  return [`${wrap(sentence(command.description()), width).join("\n")}\n`, ...texts].join("\n");
}

/** The words after the name of a command. A command with subcommands may also do something itself. */
function usagesOf(command: Command, isGroup: boolean): string[][] {
  const own = !isGroup || command.registeredArguments.length > 0 ? [argumentsOf(command)] : [];
  const group = isGroup ? [command.parent === null ? ["<command>", "<subcommand>"] : ["<command>"]] : [];
  return [...own, ...group];
}

function argumentsOf(command: Command): string[] {
  return command.registeredArguments.map((argument) => {
    const name = argument.name() + (argument.variadic ? "..." : "");
    return argument.required ? `<${name}>` : `[${name}]`;
  });
}

/** The words that run a command. */
export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Breaks text between words into lines. A longer word has its own line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Terms with their explanations, in two columns. On a narrow screen, the explanation is below its term. */
export function items(pairs: readonly (readonly [term: string, text: string])[], width: number): string[] {
  const termWidth = Math.max(0, ...pairs.map(([term]) => term.length));
  const room = width - termWidth - 4;
  return pairs.flatMap(([term, text]) => {
    if (room < 30) return [indent(term, 2), ...wrap(text, width - 6).map((line) => indent(line, 6))];
    const [first = "", ...rest] = wrap(text, room);
    return [`  ${term.padEnd(termWidth)}  ${first}`, ...rest.map((line) => indent(line, termWidth + 4))];
  });
}

function paragraph(text: string, width: number): string[] {
  return wrap(text, width - 2).map((line) => indent(line, 2));
}

function indent(line: string, columns: number): string {
  return " ".repeat(columns) + line;
}

function sentence(description: string): string {
  return `${description.slice(0, 1).toUpperCase()}${description.slice(1)}${description.endsWith(".") ? "" : "."}`;
}

function describeCommand(command: Command): readonly [string, string] {
  return [command.name(), command.description()];
}

function describeOption(option: Option): readonly [string, string] {
  // Without the short form, the long ones begin below each other.
  const flags = option.short === undefined ? `    ${option.flags}` : option.flags;
  return [flags, describe(option)];
}

/** The explanation of a flag or an argument, with its values. */
function describe({
  description,
  argChoices,
  defaultValue,
}: Pick<Option, "description" | "argChoices" | "defaultValue">): string {
  const choices = argChoices === undefined ? "" : ` {${argChoices.join("|")}}`;
  const fallback = typeof defaultValue === "number" ? ` (default: ${defaultValue})` : "";
  return description + choices + fallback;
}

/** The names of the flags that every command has. The help of the program explains them. */
function inheritedFlags(command: Command, help: Help, width: number): string[] {
  const flags = help.visibleGlobalOptions(command).map(({ long }) => long);
  return paragraph(`${flags.join(" ")} (see petstore --help)`, width);
}

/** In a narrow terminal, a backslash continues the command, so that it can be copied. */
function exampleText([explanation, commandLine]: Example, width: number): string[] {
  const quoted = /"[^"]*"|'[^']*'/g;
  const whole = commandLine.replaceAll(quoted, (text) => text.replaceAll(" ", "\0"));
  const lines = wrap(whole, width - 8).map((line) => line.replaceAll("\0", " "));
  const command = lines.map((line, index) => `${index === 0 ? "  $ " : "      "}${line}`).join(" \\\n");
  return [...wrap(explanation, width - 4).map((line) => indent(`# ${line}`, 2)), command];
}

function learnMore(command: Command): string {
  return `Use \`${pathOf(command)} <command> --help\` for the flags and examples of a command.`;
}
