import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createProgram } from "../../apps/cli/src/program.ts";
import { root } from "./contents.ts";

type Command = ReturnType<typeof createProgram>;

/** Where the reference of the command line is written, from the root. Git ignores it. */
const commandReference = "site/reference/cli.md";

/** Writes what `petstore --help` and the help of each command print. */
export function writeCommandReference(): void {
  let printed = "";
  const output = { write: () => true };
  const program = createProgram(
    () => async () => {},
    { stdout: output, stderr: output, environment: {} },
    (text) => (printed += text),
  );
  const sections = commandsOf(program).map(([name, command]) => {
    printed = "";
    command.outputHelp();
    return `## ${name}\n\n\`\`\`text\n${printed.trim()}\n\`\`\``;
  });
  const page = [
    "---\neditLink: false\n---",
    "# Command reference",
    "What `petstore --help` prints for each command, with all of its options. What commands end with: [exit codes](../../apps/cli/README.md#errors-and-exit-codes).",
    ...sections,
  ];
  mkdirSync(join(root, dirname(commandReference)), { recursive: true });
  writeFileSync(join(root, commandReference), `${page.join("\n\n")}\n`);
}

/** A command and those below it, by what people type. */
function commandsOf(command: Command, words = command.name()): [name: string, command: Command][] {
  const below = command.commands.filter((each) => each.name() !== "help");
  return [
    [words, command],
    ...below.flatMap((each) => commandsOf(each, `${words} ${each.name()}`)),
  ];
}
