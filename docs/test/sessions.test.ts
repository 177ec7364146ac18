import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serve, temporaryDirectory } from "@petstore/test-kit/processes";
import { describe, expect, test } from "vitest";
import { isInSession, sessionPages } from "./claims.ts";
import { blocksOf } from "./pages.ts";
import { asWritten, runSession, stepsOf } from "./session.ts";

/** What the pages use beside the programs of the checkout. */
const missing = ["curl", "jq"].filter((program) => !isInstalled(program));

function isInstalled(program: string): boolean {
  try {
    return execFileSync("sh", ["-c", `command -v ${program}`]).length > 0;
  } catch {
    return false;
  }
}

test("a machine without the programs that the pages use says so", () => {
  if (missing.length > 0) {
    process.stderr.write(`The commands of the pages are NOT tested: install ${missing.join(", ")} for that.\n`);
  }
  expect(sessionPages).toContain("docs/api.md");
});

/** The addresses of services that the pages name. */
const addresses = /http:\/\/127\.0\.0\.1:8080\/v1|https:\/\/(?:staging|petstore)\.example\/v1/g;

/** The files of the reader that the pages name. */
function writeFiles(directory: string, key: string): void {
  writeFileSync(join(directory, "key.txt"), `${key}\n`);
  const animals = ['{"name":"Rex","categoryId":1}', '{"name":"Tom","categoryId":"1"}', '{"name":"Kim","categoryId":2}'];
  writeFileSync(join(directory, "animals.ndjson"), `${animals.join("\n")}\n`);
}

// Each page is read from top to bottom, beside a development server of its own.
describe.each(missing.length > 0 ? [] : sessionPages)("the commands of %s", (page) => {
  test("print what the page says", async () => {
    using directory = temporaryDirectory();
    await using server = await serve(directory.path, { args: ["--dev"], environment: { PETSTORE_PORT: "0" } });
    const key = /pst_test_\w+/.exec(server.stdout())?.[0] ?? "";
    writeFiles(directory.path, key);

    const steps = blocksOf(page).filter(isInSession).flatMap(stepsOf);
    const commands = steps.map(({ command }) => command.replaceAll(addresses, server.url));
    const printed = await runSession(directory.path, commands, key);

    const seen = steps.map(({ command, output }, index) => {
      const { output: actual = "(it was not reached)", exitCode = NaN } = printed[index] ?? {};
      // Where the page shows no output, the command must succeed, whatever it prints.
      if (output === undefined) return exitCode === 0 ? { command, output } : { command, output: actual };
      return { command, output: asWritten(actual, output) };
    });
    expect(seen).toEqual(steps);
  });
});
