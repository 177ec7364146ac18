import { readFileSync, writeFileSync } from "node:fs";
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

describe("a terminal", () => {
  /** Text that could harm a terminal: it clears the screen, sets its title or reverses text. */
  const hostile = "\u001b[2J\u001b]0;title\u0007\u009b31m\u202e\u2066\u2028";
  const obeyed = /[^\P{Cc}\r\n]|[\p{Bidi_Control}\u2028\u2029]/u;

  test("gets control characters as escapes, and a pipe gets them unchanged", async ({ petstore }) => {
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
