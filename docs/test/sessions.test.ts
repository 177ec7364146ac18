import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectNoProblems } from "@petstore/test-kit/problems";
import { installed } from "@petstore/test-kit/programs";
import { serve, temporaryDirectory } from "@petstore/test-servers/processes";
import { test } from "vitest";
import { blocksOf, isTyped, pages } from "./pages.ts";
import { patternOf, runSession, stepsOf } from "./session.ts";

const sessions = pages
  .map((page) => ({ page, steps: blocksOf(page).filter(isTyped).flatMap(stepsOf) }))
  .filter(({ steps }) => steps.length > 0);

/** Programs that some pages use and this machine does not have. */
const missing = (["curl", "jq"] as const).filter((program) => installed(program).length === 0);
const testable = sessions.filter(
  ({ steps }) => !missing.some((program) => steps.some(({ command }) => command.includes(program))),
);

/** Addresses of services in the pages. */
const addresses = /http:\/\/127\.0\.0\.1:8080\/v1|https:\/\/(?:staging|petstore)\.example\/v1/g;

/** Files of the reader in the pages. */
function writeFiles(directory: string, key: string): void {
  writeFileSync(join(directory, "key.txt"), `${key}\n`);
  const animals = ['{"name":"Rex","categoryId":1}', '{"name":"Tom","categoryId":"1"}', '{"name":"Kim","categoryId":2}'];
  writeFileSync(join(directory, "animals.ndjson"), `${animals.join("\n")}\n`);
}

// Each page is run from top to bottom, with its own development server.
test.each(testable)("the commands of $page print the shown output", async ({ page, steps }) => {
  using directory = temporaryDirectory();
  await using server = await serve(directory.path, { args: ["--dev"], environment: { PETSTORE_PORT: "0" } });
  const key = /pst_test_\w+/.exec(server.stdout())?.[0] ?? "";
  writeFiles(directory.path, key);

  const commands = steps.map(({ command }) => command.replaceAll(addresses, server.url));
  const printed = await runSession(directory.path, commands, key);

  const problems = steps.map(({ command, output }, index) => {
    const { output: actual = "(it was not reached)", exitCode = NaN } = printed[index] ?? {};
    // Where the page shows no output, the command must succeed, whatever it prints.
    const isAsWritten = output === undefined ? exitCode === 0 : new RegExp(`^${patternOf(output)}$`).test(actual);
    return isAsWritten
      ? []
      : [`${page}: the block \`${command.split("\n")[0]}\` is out of date. It prints:\n${actual}`];
  });
  expectNoProblems(problems.flat());
});
