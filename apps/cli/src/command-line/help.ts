import type { Command } from "commander";
import { topics, withExamples, type Topic } from "../help.ts";
import { suggestion } from "../options.ts";
import type { Definition } from "../program.ts";

export const help: Definition = {
  name: "help",
  heading: "OTHER COMMANDS",
  description: "print help for a command or a topic",
  define(command, run, program) {
    command
      .argument("[command...]", "the command, like pets list, or the topic")
      .action(async (names: string[], flags: object, self: Command) => {
        const [name = ""] = names;
        if (names.length > 1 || !Object.hasOwn(topics, name)) return findCommand(program, names).help();
        const printTopic = run<[Topic, object, Command]>(async () => (await import("../commands/help.ts")).printTopic);
        return await printTopic(name as Topic, flags, self);
      });
    withExamples(
      command,
      ["The flags of a command", "petstore help pets list"],
      ["A topic", "petstore help exit-codes"],
    );
  },
};

function findCommand(program: Command, names: readonly string[]): Command {
  return names.reduce((command, name) => {
    const found = command.commands.find((subcommand) => subcommand.name() === name);
    const known = [
      ...command.commands.map((subcommand) => subcommand.name()),
      ...(command === program ? Object.keys(topics) : []),
    ];
    return found ?? command.error(`unknown command '${name}'${suggestion(name, known)}`);
  }, program);
}
