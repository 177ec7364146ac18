import type { Command } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { topicRows } from "../src/commands/help.ts";
import { argumentsOf, describe, exampleLines, pathOf } from "../src/help.ts";
import { createProgram } from "../src/program.ts";

/** The manual page of the program, for `man petstore`, with every command, flag and example. */
export function manPage(): string {
  const program = createProgram(() => () => Promise.resolve(), {
    stdout: process.stdout,
    stderr: process.stderr,
    environment: {},
  });
  return [
    `.TH PETSTORE 1 "" "petstore ${packageJson.version}" "Petstore"`,
    ".SH NAME",
    String.raw`petstore \- ${escape("list, add, fetch and import animals of the Petstore catalogue")}`,
    ".SH SYNOPSIS",
    ".B petstore",
    escape("<command> <subcommand> [flags]"),
    ".SH COMMANDS",
    ...commandsOf(program).flatMap(commandSection),
    ".SH GLOBAL FLAGS",
    ...program.options.flatMap((option) => item(option.flags, describe(option))),
    ".SH ENVIRONMENT",
    ...topicRows("environment").flatMap(([name, text]) => item(name, text)),
    ".SH EXIT STATUS",
    ...topicRows("exit-codes").flatMap(([code, text]) => item(code, text)),
    ".SH EXAMPLES",
    ...examples(program),
    "",
  ].join("\n");
}

/** The commands that run something, in the order of the help. */
function commandsOf(command: Command): Command[] {
  const own = command.createHelp().visibleCommands(command);
  const inner = own.filter((each) => command.parent === null || each.name() !== "help").flatMap(commandsOf);
  // A command with an argument does something itself.
  return inner.length === 0 || command.registeredArguments.length > 0 ? [command, ...inner] : inner;
}

function commandSection(command: Command): string[] {
  const flags = command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long !== "--help");
  return [
    `.SS "${escape([pathOf(command), ...argumentsOf(command), ...(flags.length > 0 ? ["[flags]"] : [])].join(" "))}"`,
    escape(`${command.description()}.`),
    ...flags.flatMap((option) => item(option.flags, describe(option))),
    ...examples(command),
  ];
}

function item(term: string, text: string): string[] {
  return [".TP", `\\fB${escape(term)}\\fR`, escape(text)];
}

function examples(command: Command): string[] {
  const lines = exampleLines(command).map(escape);
  return lines.length > 0 ? [".PP", ".RS", ".EX", ...lines, ".EE", ".RE"] : [];
}

/** A line that begins with a dot or a quote would be a request, and a plain dash could become a hyphen. */
function escape(text: string): string {
  const plain = text
    .replaceAll("\\", String.raw`\e`)
    .replaceAll("-", String.raw`\-`)
    .replaceAll('"', String.raw`\(dq`);
  return /^[.']/.test(plain) ? String.raw`\&${plain}` : plain;
}
