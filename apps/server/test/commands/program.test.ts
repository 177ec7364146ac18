import { petstoreServer, run, settings, start, temporaryDirectory, type Ended } from "@petstore/test-servers/processes";
import { expect, test } from "vitest";

/** Each uses the results of the ones before it. They read standard input, stream output, fail, or check the file. */
const session: [exitCode: number, command: string, input?: string][] = [
  [2, "feed"],
  [65, "export pets"],
  [0, "import pets -", '{"id":1,"name":"Bella","categoryId":1}\n'],
  [0, "export pets"],
  [0, "doctor"],
];

/** Runs all commands in a new directory. Returns the output of each, without random parts. */
async function runAll(runOne: (directory: string, args: readonly string[], input: string) => Promise<Ended>) {
  using directory = temporaryDirectory();
  const results: Ended[] = [];
  for (const [, command, input = ""] of session) {
    const { stdout, stderr, ...ending } = await runOne(directory.path, command.split(" "), input);
    const [out = "", error = ""] = [stdout, stderr].map((text) =>
      text.replaceAll(directory.path, "DIRECTORY").replaceAll(/[\d.,]+ (?:[GM]i?B|ms)/g, "AMOUNT"),
    );
    results.push({ ...ending, stdout: out, stderr: error });
  }
  return results;
}

/** The other tests run commands in their own process, which is faster. */
test("commands exit in their own process, and print the same as in this process", async () => {
  const here = await runAll((directory, args, input) => run(directory, args, { input }));
  const alone = await runAll((directory, args, input) => {
    return start(process.execPath, [petstoreServer, ...args], { directory, environment: settings, input }).ended;
  });
  expect(alone).toEqual(here);
  expect(here.map(({ exitCode }) => exitCode)).toEqual(session.map(([exitCode]) => exitCode));
});
