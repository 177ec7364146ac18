import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expectExit } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { test } from "../support/petstore.ts";

test("export ends quietly when its reader stops", async ({ petstore }) => {
  const lines = Array.from(
    { length: 5_000 },
    (_, index) => `{"id":${index + 1},"name":"${"x".repeat(200)}","categoryId":1}\n`,
  );
  await petstore.run("import pets -", lines.join(""));
  const ended = petstore.shell('{ "$@" export pets; echo $? >status; } | head -n 1').ended;
  await expectExit(0, ended, { stdout: /^\{"id":1,.*\}\n$/, stderr: "" });
  expect(readFileSync(petstore.path("status"), "utf8")).toBe("0\n");
});

describe("an import from standard input", () => {
  const animal = '{"id":1,"name":"Bella","categoryId":1}\n';

  test.for([
    ["that is missing", "missing", "ENOENT"],
    ["that is a file", "all.ndjson", "ENOTDIR"],
  ])(
    "1 with a TMPDIR %s, with what to do, and nothing is stored",
    async ([, name = "", code = ""], { petstore }) => {
      writeFileSync(petstore.path("all.ndjson"), animal);
      const folder = petstore.path(name);
      const { ended } = petstore.shell('"$@" import pets - <all.ndjson', { TMPDIR: folder });
      const { stderr } = await expectExit(1, ended, { stderr: /^petstore-server: [^\n]+\n$/ });
      expect(stderr).toContain(`standard input cannot be copied to ${folder}: ${code}`);
      expect(stderr).toContain(
        "set TMPDIR to a directory with room that can be written, or import a file",
      );
      expect(existsSync(petstore.path("petstore.db"))).toBe(false);
    },
  );

  test("0 from a file with a TMPDIR that is missing", async ({ petstore }) => {
    writeFileSync(petstore.path("all.ndjson"), animal);
    const { ended } = petstore.start("import pets all.ndjson", {
      TMPDIR: petstore.path("missing"),
    });
    await expectExit(0, ended, { stderr: /1 pets stored/ });
  });

  test("0, and leaves nothing in TMPDIR", async ({ petstore }) => {
    writeFileSync(petstore.path("all.ndjson"), animal);
    mkdirSync(petstore.path("copies"));
    const { ended } = petstore.shell('"$@" import pets - <all.ndjson', {
      TMPDIR: petstore.path("copies"),
    });
    await expectExit(0, ended, { stderr: /1 pets stored/ });
    expect(readdirSync(petstore.path("copies"))).toEqual([]);
  });
});

describe("a terminal", () => {
  /** Text that could harm a terminal: it clears the screen, sets its title or reverses text. */
  const hostile = "\u001b[2J\u001b]0;title\u0007\u009b31m\u202e\u2066\u2028";
  const obeyed = /[^\P{Cc}\r\n]|[\p{Bidi_Control}\u2028\u2029]/u;

  test("gets control characters as escapes, and a pipe gets them unchanged", async ({
    petstore,
  }) => {
    const order = `{"id":1,"note":${JSON.stringify(hostile)}}`;
    await petstore.run("import orders -", order);
    expect(order).toMatch(obeyed);
    await expectExit(0, petstore.run("export orders"), { stdout: `${order}\n` });
    const { stdout: shown } = await petstore.runOnTerminal("export orders");
    expect(shown).not.toMatch(obeyed);
    expect(JSON.parse(shown)).toEqual(JSON.parse(order));
  });

  test("gets escapes in messages with file names and arguments", async ({ petstore }) => {
    const name = `${hostile}.ndjson`;
    await petstore.run("migrate");
    writeFileSync(petstore.path(name), "x\n");
    for (const args of [["import", "pets", name], ["import", hostile, name], [hostile]]) {
      const { exitCode, stdout, stderr } = await petstore.run(args);
      expect(exitCode).not.toBe(0);
      expect(stdout).toBe("");
      expect(stderr).toContain(String.raw`\u001b[2J`);
      expect(stderr).not.toMatch(obeyed);
    }
  });
});
