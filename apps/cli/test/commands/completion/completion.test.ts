import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { petstore } from "../../support/petstore.ts";
import { installedShells, startShell, type Shell } from "../../support/shells.ts";

/** The typed text, and the screen after a Tab. */
type Completion = [typed: string, shown: RegExp];

/** Types each line and a Tab. */
async function expectCompletions(shell: Shell, completions: readonly Completion[]): Promise<void> {
  for (const [typed, shown] of completions) {
    shell.session.type(`${typed}\t`);
    await shell.session.shows(shown);
    await shell.clear();
  }
}

describe.each(installedShells)("%s", (name) => {
  test("0: an unambiguous word is completed", async () => {
    await using shell = await startShell(name);
    await expectCompletions(shell, [
      ["petstore pe", /^> petstore pets$/],
      ["petstore pets im", /^> petstore pets import$/],
      ["petstore -o json pets li", /^> petstore -o json pets list$/],
      ["petstore help comp", /^> petstore help completion$/],
      ["petstore pets list --st", /^> petstore pets list --status$/],
      ["petstore pets list --status av", /^> petstore pets list --status available$/],
      ["petstore pets list --status=av", /^> petstore pets list --status=available$/],
      ["petstore --profile li", /^> petstore --profile live$/],
      ["petstore --profile=stag", /^> petstore --profile=staging$/],
      ["petstore --base-url http://localhost:8080/v1 auth logi", /^> petstore --base-url http:\S+ auth login$/],
      ["petstore config set out", /^> petstore config set output$/],
      ["petstore config profiles use li", /^> petstore config profiles use live$/],
      ["petstore api -F name=Rex --idem", /^> petstore api -F name=Rex --idempotency-key$/],
    ]);
  });

  test("0: ambiguous words are listed, with descriptions if the shell has room for them", async () => {
    await using shell = await startShell(name);
    const described = (value: string, description: string): string =>
      ({ bash: value, zsh: `${value} +-- ${description}`, fish: `${value} +\\(${description}\\)` })[name];
    await expectCompletions(shell, [
      ["petstore ", new RegExp(described("orders", String.raw`list orders \(experimental\)`))],
      ["petstore pets ", new RegExp(described("list", "list animals in ascending order of id"))],
      ["petstore pets list --", new RegExp(described("--quiet", "hide notes and progress"))],
      ["petstore pets list --status ", /available +pending +sold/],
      ["petstore pets list --status=", /available +\S*pending +\S*sold/],
      ["petstore --profile sta", /stable +staging/],
    ]);
  });

  test("0: files are completed where a file is expected, and nowhere else", async () => {
    await using shell = await startShell(name);
    await expectCompletions(shell, [
      ["petstore pets import oth", /import other\.json$/],
      ["petstore pets import two", /import two\\ words\.ndjson$/],
      ['petstore pets import "two', /import "two words\.ndjson"$/],
      [String.raw`petstore pets import a\ directory/i`, /a\\ directory\/inner\.json$/],
      ["petstore pets create --file=two", /--file=two\\ words\.ndjson$/],
      ["petstore pets create --file=a\\ directory/", /--file=a\\ directory\/inner\.json$/],
    ]);
    // Text typed after a Tab is shown when the shell has handled the Tab.
    for (const line of ["petstore pets get oth", "petstore pets list --limit oth"]) {
      shell.session.type(`${line}\tEND`);
      await shell.session.shows(/END$/);
      expect(shell.session.screen()).toEqual([`> ${line}END`]);
      await shell.clear();
    }
  });

  test("0: a command on the line is not run", async () => {
    await using shell = await startShell(name);
    // In the words before the cursor: zsh itself expands the word at the cursor.
    for (const substitution of ["$(touch executed)", "`touch executed`", "<(touch executed)"]) {
      const line = `petstore --profile ${substitution} pets list --status=${substitution} --li`;
      shell.session.type(`${line}\tEND`);
      await shell.session.shows(/END/);
      expect({ line, isRun: existsSync(join(shell.directory, "executed")) }).toEqual({ line, isRun: false });
      await shell.clear();
    }
  });
});

test.each(["bash", "zsh", "fish", "powershell"])("0: the script for %s", async (name) => {
  const { exitCode, stdout, stderr } = await petstore(`completion ${name}`);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toContain(`petstore completion ${name}`);
  expect(stdout).toContain("__complete");
});
