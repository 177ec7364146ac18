import { readFileSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { createProgram } from "../src/program.ts";

export const manual = new URL("../README.md", import.meta.url);

/** The manual, with its table of commands regenerated from the program. */
export function withCommandsTable(page: string): string {
  const program = createProgram(() => () => Promise.resolve(), {
    stdout: process.stdout,
    stderr: process.stderr,
    environment: {},
  });
  const rows = program.commands.flatMap((command) => toRows(command, ""));
  const table = ["| Command | What it does |", "| --- | --- |", ...rows].join("\n");
  return page.replace(/(?<=<!-- commands -->\n).*(?=<!-- \/commands -->)/s, () => `\n${table}\n\n`);
}

function toRows(command: Command, parents: string): string[] {
  const name = `${parents}${command.name()}`;
  const inner = command.commands.flatMap((each) => toRows(each, `${name} `));
  // A command with an argument does something itself.
  if (inner.length > 0 && command.registeredArguments.length === 0) return inner;
  const needed = command.registeredArguments.map((argument) => ` ${argument.name().toUpperCase()}`).join("");
  return command.description() === "" ? [] : [`| \`${name}${needed}\` | ${command.description()} |`, ...inner];
}

if (import.meta.main) writeFileSync(manual, withCommandsTable(readFileSync(manual, "utf8")));
