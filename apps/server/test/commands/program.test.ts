import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { petstoreServer, run, settings, start, temporaryDirectory, type Ended } from "@petstore/test-kit/processes";
import { expect, test } from "vitest";

/** Each uses the results of the ones before it. */
const session: [exitCode: number, command: string][] = [
  [0, "--version"],
  [0, "--help"],
  [2, "feed"],
  [65, "export pets"],
  [0, "migrate"],
  [0, "migrate --status"],
  [0, "keys create --name shop"],
  [0, "keys list"],
  [0, "keys rotate KEY"],
  [0, "keys revoke KEY"],
  [0, "import pets pets.ndjson"],
  [2, "import pets missing.ndjson"],
  [0, "export pets"],
  [0, "remove pets 1"],
  [0, "backup copy.db"],
  [0, "restore copy.db --verify"],
  [65, "restore copy.db"],
  [0, "doctor"],
];

/** Runs all commands in a new directory. Returns the output of each, without random parts. */
async function runAll(runOne: (directory: string, args: readonly string[]) => Promise<Ended>): Promise<unknown[]> {
  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, "pets.ndjson"), '{"id":1,"name":"Bella","categoryId":1}\n');
  let keyId = "";
  const results: unknown[] = [];
  for (const [, command] of session) {
    const { exitCode, signal, stdout, stderr } = await runOne(directory.path, command.replace("KEY", keyId).split(" "));
    keyId ||= /key_\w{12}/.exec(stderr)?.[0] ?? "";
    const [out, error] = [stdout, stderr].map((text) =>
      text
        .replaceAll(directory.path, "DIRECTORY")
        .replaceAll(/key_\w{12}/g, "key_ID")
        .replaceAll(/pst_live_\w{38}/g, "SECRET")
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
        .replaceAll(/[\d.,]+ (?:[GM]i?B|ms)/g, "AMOUNT"),
    );
    results.push({ command, exitCode, signal, out, error });
  }
  return results;
}

/** The other tests run commands in their own process, which is faster. */
test("each command exits in its own process, and prints the same as in this process", async () => {
  const here = await runAll((directory, args) => run(directory, args));
  const alone = await runAll((directory, args) => {
    const options = { directory, environment: settings };
    return start(process.execPath, [petstoreServer, ...args], options).ended;
  });
  expect(alone).toEqual(here);
  expect(here).toMatchObject(session.map(([exitCode, command]) => ({ command, exitCode })));
}, 300_000);
