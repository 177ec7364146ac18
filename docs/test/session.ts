import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { isBuilt } from "@petstore/test-kit/endurance";
import { serve, serverWith, start, temporaryDirectory } from "@petstore/test-servers/processes";
import type { Step } from "./steps.ts";

/** A character that no command prints. */
const separator = "\u001e";

/**
 * Runs commands one after the other in one shell, until it ends. Returns the output and exit code
 * of each.
 * @param typed what a reader types when a command asks
 */
export async function runSession(
  directory: string,
  commands: readonly string[],
  {
    typed = "",
    environment = environmentIn(directory),
  }: { typed?: string; environment?: Environment } = {},
): Promise<{ output: string; exitCode: number }[]> {
  const home = environment["HOME"] ?? directory;
  const [answers, file] = [join(home, "answers"), join(home, "output")] as const;
  writeFileSync(answers, typed);
  const report = `report() { printf '${separator}%s${separator}' $?; }`;
  const steps = commands.map((command) => `{ :\n${command}\n} <${answers}\nreport`);
  const script = [`exec > ${file} 2>&1`, report, ...steps].join("\n");
  await using shell = start("sh", ["-c", script], { directory, environment });
  await shell.ended;
  // Output and exit code in turn.
  const parts = readFileSync(file, "utf8").replaceAll("\r", "").split(separator);
  return commands.flatMap((_, index) => {
    const [output, exitCode] = parts.slice(2 * index, 2 * index + 2);
    return output === undefined || exitCode === undefined
      ? []
      : [{ output: output.trim(), exitCode: Number(exitCode) }];
  });
}

const ofCheckout = join(root, isBuilt ? "apps/cli/dist/petstore.cjs" : "apps/cli/src/main.ts");

/** The variables of a user. */
type Environment = Readonly<Record<string, string>>;

/**
 * A user's environment in which the programs of the checkout are installed, or another command-line
 * tool.
 */
export function environmentIn(directory: string, petstore = ofCheckout): Environment {
  const programs = join(directory, "programs");
  mkdirSync(programs, { recursive: true });
  const server = serverWith()
    .map((argument) => `"${argument}"`)
    .join(" ");
  writeProgram(
    join(programs, "petstore-server"),
    `[ "$1" = serve ] || unset PETSTORE_TEST_RUNNER\nexec node $PETSTORE_TEST_RUNNER ${server} "$@"`,
  );
  // It prints a table at a terminal. Here, output that does not go into a pipe counts as a
  // terminal.
  const asTable = "[ -p /dev/stdout ] || export PETSTORE_OUTPUT=table";
  writeProgram(join(programs, "petstore"), `${asTable}\nexec node "${petstore}" "$@"`);
  writeProgram(join(programs, "pnpm"), pnpm);
  writeProgram(join(programs, "npx"), '[ "$1" = pnpm@12 ] || exit 127\nshift\nexec pnpm "$@"');
  // Node of the checkout, with which the tutorial starts the command line from its source.
  const nodeOfCheckout = join(directory, "node_modules/.bin");
  mkdirSync(nodeOfCheckout, { recursive: true });
  writeProgram(join(nodeOfCheckout, "node"), 'shift\nexec petstore "$@"');
  const path = [programs, join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  return { PATH: path, HOME: directory, LC_ALL: "C.UTF-8", ...npmSettings(directory) };
}

/** npm has no registry, and a folder of its own for programs of all projects. */
function npmSettings(directory: string): Environment {
  const off = {
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
  };
  return { ...off, npm_config_offline: "true", npm_config_prefix: join(directory, "global") };
}

/**
 * pnpm of the real checkout. It packs what Turbo has built, and installs nothing: the packages that
 * it is asked for must exist. The scripts of the root have the names of programs. The real pnpm
 * would run them on the data of the checkout.
 */
const pnpm = `
real() { cd "${root}" && exec "${join(root, "node_modules/.bin/pnpm")}" --fail-if-no-match "$@"; }
case "$1 $3" in
  "install "*) shift && real "$@" exec true ;;
  "--filter build") real --filter "$2" exec test -d dist ;;
  "--filter pack") real --filter "$2" pack "$4" "$PWD/$5" ;;
  *) exec "$@" ;;
esac`;

function writeProgram(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** Addresses of services in the pages. */
const addresses = /http:\/\/127\.0\.0\.1:8080\/v1|https:\/\/(?:staging|petstore)\.example\/v1/g;

/** Files of the reader in the pages. */
function writeFiles(directory: string, key: string): void {
  writeFileSync(join(directory, "key.txt"), `${key}\n`);
  const animals = [
    '{"name":"Rex","categoryId":1}',
    '{"name":"Tom","categoryId":"1"}',
    '{"name":"Kim","categoryId":2}',
  ];
  writeFileSync(join(directory, "animals.ndjson"), `${animals.join("\n")}\n`);
  // The content says what it is, not the name.
  const sheet =
    "Animal ID,Name,Species,Status\nA1,Nova,Dog,Foster\nA2,,Guinea Pig,Foster\nA3,Max,Cat,Transfer\n";
  writeFileSync(join(directory, "animals.xlsx"), sheet);
}

/**
 * Runs the commands and programs of a page from top to bottom, with a development server of its
 * own, and says which print something else, or fail.
 * @param petstore the command-line tool, if it is not that of the checkout
 * @param modules the packages of the programs
 */
export async function problemsOf(
  page: string,
  steps: readonly Step[],
  { petstore, modules }: { petstore?: string; modules?: string } = {},
): Promise<string[]> {
  using temporary = temporaryDirectory();
  // The pages name folders beside the checkout.
  const [directory = ""] = ["checkout", "my-project", "adopt"].map((name) =>
    join(temporary.path, name),
  );
  for (const name of ["checkout", "my-project", "adopt"]) mkdirSync(join(temporary.path, name));
  if (modules !== undefined) symlinkSync(modules, join(temporary.path, "node_modules"));
  await using server = await serve(directory, {
    args: ["--dev"],
    environment: { PETSTORE_PORT: "0" },
  });
  const key = /pst_test_\w+/.exec(server.stdout())?.[0] ?? "";
  writeFiles(directory, key);

  const commands = steps.map(({ command }) =>
    command.replaceAll(addresses, server.url).replaceAll("pst_test_…", key),
  );
  const environment = {
    ...environmentIn(directory, petstore),
    // A server on any free port, which stops as soon as it serves.
    PETSTORE_TEST_RUNNER: join(import.meta.dirname, "serve-briefly.ts"),
  };
  const printed = await runSession(directory, commands, { typed: `${key}\n`, environment });

  return steps.flatMap(({ command, output, mayFail }, index) => {
    const { output: actual = "(it was not reached)", exitCode = NaN } = printed[index] ?? {};
    // Where the page shows no output, it may be anything but a warning of Node, such as one about
    // the name of a file.
    const isAsWritten =
      output === undefined
        ? !/^\(node:\d+\)/m.test(actual)
        : new RegExp(`^${patternOf(output)}$`).test(actual);
    return isAsWritten && (exitCode === 0 || (mayFail && exitCode > 0))
      ? []
      : [
          `${page}: the block \`${command.split("\n")[0]}\` is out of date. It exits with ${exitCode} and prints:\n${actual}`,
        ];
  });
}

/** A regular expression for a text of a page. `…` stands for anything within a line. */
export function patternOf(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`).replaceAll("…", ".+");
}
