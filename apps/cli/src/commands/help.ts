import type { Command } from "commander";
import { suggestion } from "../options.ts";

export function addHelp(program: Command): void {
  program
    .command("help")
    .description("print help for a command")
    .argument("[command...]", "the command, like pets list")
    .action((names: string[]) => findCommand(program, names).help());
}

function findCommand(program: Command, names: readonly string[]): Command {
  return names.reduce((command, name) => {
    const found = command.commands.find((subcommand) => subcommand.name() === name);
    const known = command.commands.map((subcommand) => subcommand.name());
    return found ?? command.error(`unknown command '${name}'${suggestion(name, known)}`);
  }, program);
}
