import { readFileSync, writeFileSync } from "node:fs";
import { expectExit } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { test } from "../support/petstore.ts";

const lines = Array.from(
  { length: 2_500 },
  (_, index) => `{"id":${index + 1},"name":"Rex","categoryId":1,"status":"sold"}\n`,
);
const all = lines.join("");
const summary = "2500 pets stored, 0 already stored";

const fullBar = "█".repeat(24);
/** What a terminal is told to clear the line of the cursor. */
const clearLine = "\u001b[2K";

describe("import", () => {
  test.for(["pets.ndjson", "- <pets.ndjson"])(
    "0: a terminal shows how much of %s is checked and stored, and in the end only the summary",
    async (file, { petstore }) => {
      await petstore.run("migrate");
      writeFileSync(petstore.path("pets.ndjson"), all);
      const { stdout } = await expectExit(0, petstore.runOnTerminal(`import pets ${file}`));
      const [checked, stored, ...last] = stdout.split(clearLine);
      expect(checked).toMatch(new RegExp(`^[^]*░{24} 0%[^]*${fullBar} 100%  checked[^]*$`));
      expect(stored).toMatch(new RegExp(`^[^]*░{24} 0%[^]*${fullBar} 100%  ${summary}[^]*$`));
      expect(last).toEqual([`${summary}.\r\n`]);
    },
  );

  test("65: a bar is cleared before the problems", async ({ petstore }) => {
    await petstore.run("migrate");
    writeFileSync(petstore.path("pets.ndjson"), `${all}{\n`);
    const { stdout } = await petstore.runOnTerminal("import pets pets.ndjson");
    const problems =
      "petstore-server: pets.ndjson:2501: line: must be valid JSON\r\nNothing was stored.\r\n";
    expect(stdout.split(clearLine)).toEqual([expect.stringContaining(fullBar), problems]);
  });

  test("0: a bar changes no mode of the terminal, which Ctrl-C would leave changed", async ({
    petstore,
  }) => {
    await petstore.run("migrate");
    const { stdout } = await expectExit(0, petstore.runOnTerminal("import pets - </dev/null"));
    expect(stdout).toContain(fullBar);
    expect(stdout).not.toContain("\u001b[?");
  });

  test("0: there is no bar on a terminal that cannot move its cursor", async ({ petstore }) => {
    await petstore.run("migrate");
    writeFileSync(petstore.path("pets.ndjson"), all);
    const ended = petstore.runOnTerminal("import pets pets.ndjson", { TERM: "dumb" });
    await expectExit(0, ended, { stdout: `${summary}.\r\n` });
  });

  test("0: in a pipe, there is only the summary", async ({ petstore }) => {
    await petstore.run("migrate");
    writeFileSync(petstore.path("pets.ndjson"), all);
    const { ended } = petstore.start("import pets pets.ndjson");
    await expectExit(0, ended, { stdout: "", stderr: `${summary}.\n` });
  });
});

describe("export", () => {
  test("0: a terminal shows how many animals are in the file, and in the end nothing", async ({
    petstore,
  }) => {
    await petstore.run("import pets -", all);
    const { stdout } = await expectExit(0, petstore.runOnTerminal("export pets >exported.ndjson"));
    expect(stdout.split(clearLine)).toEqual([
      expect.stringMatching(/0 pets printed[^]*2500 pets printed/),
      "",
    ]);
    expect(readFileSync(petstore.path("exported.ndjson"), "utf8") === all).toBe(true);
  });

  test.for(["export pets", "export pets | cat"])(
    "0: a terminal shows only the animals where they go to the same terminal: %s",
    async (command, { petstore }) => {
      await petstore.run("import pets -", all);
      const { stdout } = await expectExit(0, petstore.runOnTerminal(command));
      expect(stdout).toBe(all.replaceAll("\n", "\r\n"));
    },
  );

  test("0: to a file, without a terminal, there is nothing on standard error", async ({
    petstore,
  }) => {
    await petstore.run("import pets -", all);
    const { ended } = petstore.shell('"$@" export pets >exported.ndjson');
    await expectExit(0, ended, { stdout: "", stderr: "" });
    expect(readFileSync(petstore.path("exported.ndjson"), "utf8") === all).toBe(true);
  });
});
