import { readFileSync, writeFileSync } from "node:fs";
import { expectExit } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { test } from "../support/sqlite-test.ts";
import { startServer } from "../support/start-server.ts";
import { openSqliteStore } from "../support/stores.ts";

const integer = "must be an integer from -9223372036854775808 to 9223372036854775807";

const nothing = "Nothing was stored.";

describe("import pets", () => {
  test("stores the lines of a file, for a running server to show at once", async ({ file, petstore }) => {
    await using server = await startServer({ store: openSqliteStore(file) });
    const lines = [
      '{"id":1,"name":"Bella","categoryId":-9223372036854775808}',
      "",
      '  {"status":"sold","name":"た\u2028ま","categoryId":1e0,"id":9223372036854775807,"color":"red"}\r',
      '{"id":-5,"name":"Milo","categoryId":2,"status":"pending"}',
    ];
    writeFileSync(petstore.path("pets.ndjson"), lines.join("\n"));
    await expectExit(0, petstore.run("import pets pets.ndjson"), {
      stdout: "",
      stderr: "3 pets stored, 0 already stored.\n",
    });
    expect((await server.call("/pets")).text).toBe(
      `[${[
        '{"id":-5,"name":"Milo","categoryId":2,"status":"pending"}',
        '{"id":1,"name":"Bella","categoryId":-9223372036854775808,"status":"available"}',
        '{"id":9223372036854775807,"name":"た\u2028ま","categoryId":1,"status":"sold"}',
      ].join(",")}]`,
    );
  });

  test("reports each bad line as file:line: field: reason, and stores nothing", async ({ petstore }) => {
    await petstore.run("migrate");
    const lines = [
      '{"id":1,"name":"Bella","categoryId":1}',
      '{"id":2,"name":"","categoryId":1.5,"status":"gone"}',
      "",
      '{"id":3,"name":"Bella"}',
      '{"id":9223372036854775808,"name":"Bella","categoryId":1}',
      '{"name":"Bella","categoryId":1',
      '["Bella"]',
      '{"id":4503599627370496,"name":"Bella","categoryId":1}',
      '{"id":9007199254740991,"name":"Bella","categoryId":1}',
      '{"id":4,"name":1e400,"categoryId":1}',
      `{"id":5,"name":"Bella","categoryId":1,"remark":"${"x".repeat(16 * 1024)}"}`,
    ];
    const input = Buffer.concat([
      Buffer.from(`${lines.join("\n")}\n{"id":6,"name":"`),
      Buffer.from([0xff]),
      Buffer.from('"}\n{"name":"Bella","categoryId":1}'),
    ]);
    writeFileSync(petstore.path("pets.ndjson"), input);
    const { stderr } = await expectExit(65, petstore.run("import pets pets.ndjson"));
    const reserved = "must not be from 4503599627370496 to 9007199254740991: these ids are reserved for new animals";
    expect(stderr.split("\n")).toEqual([
      `petstore-server: pets.ndjson:2: name: must be a string of 1 to 255 characters without U+0000 or lone surrogates; categoryId: ${integer}; status: must be one of available, pending, sold`,
      `pets.ndjson:4: categoryId: ${integer}`,
      `pets.ndjson:5: id: ${integer}`,
      "pets.ndjson:6: line: must be valid JSON",
      "pets.ndjson:7: line: must be a JSON object",
      `pets.ndjson:8: id: ${reserved}`,
      `pets.ndjson:9: id: ${reserved}`,
      "pets.ndjson:10: name: must be a string of 1 to 255 characters without U+0000 or lone surrogates",
      "pets.ndjson:11: line: must be at most 16384 bytes long",
      "pets.ndjson:12: line: must be valid UTF-8",
      "pets.ndjson:13: id: is required: petstore pets import needs none",
      nothing,
      "",
    ]);
    await expectExit(0, petstore.run("export pets"), { stdout: "" });
  });

  test("prints at most 20 bad lines, and the number of the others", async ({ petstore }) => {
    await petstore.run("migrate");
    const { stderr } = await petstore.run("import pets -", "{x\n".repeat(25));
    const lines = stderr.trimEnd().split("\n");
    expect(lines).toHaveLength(22);
    const last = ["standard input:20: line: must be valid JSON", "… and 5 more", nothing];
    expect(lines.slice(19)).toEqual(last);
  });

  test("says in one sentence that a sheet is no NDJSON", async ({ petstore }) => {
    await petstore.run("migrate");
    const { stderr } = await expectExit(65, petstore.run("import pets -", "name,categoryId\nRex,1\nMax,2\n"));
    expect(stderr).toBe(
      "petstore-server: standard input is not NDJSON. To add the animals of a sheet: petstore pets import\n",
    );
  });

  test("skips stored animals, and rejects ones that differ, from standard input too", async ({ petstore }) => {
    const bella = '{"id":1,"name":"Bella","categoryId":1,"status":"sold"}\n';
    const milo = '{"id":2,"name":"Milo","categoryId":1,"status":"sold"}\n';
    await petstore.run("import pets -", bella);
    await expectExit(0, petstore.run("import pets -", bella + milo), { stderr: "1 pets stored, 1 already stored.\n" });
    const changed = '{"id":3,"name":"Ada","categoryId":1}\n{"id":1,"name":"Bello","categoryId":1,"status":"sold"}\n';
    await expectExit(65, petstore.run("import pets -", changed), {
      stderr: `petstore-server: standard input:2: id 1 is taken by a different animal\n${nothing}\n`,
    });
    await expectExit(0, petstore.run("export pets"), { stdout: bella + milo });
  });
});

test("import pets --replace counts new, changed and equal animals", async ({ petstore }) => {
  const replace = "import pets - --replace";
  const before = petLine(1, "available") + petLine(2, "available");
  await petstore.run("import pets -", before);
  await expectExit(65, petstore.run(replace, `${petLine(1, "sold")}{}\n`));
  await expectExit(0, petstore.run("export pets"), { stdout: before });
  const replaced = petstore.run(replace, petLine(1, "sold") + petLine(2, "available") + petLine(3, "pending"));
  await expectExit(0, replaced, { stdout: "", stderr: "1 pets stored, 1 changed, 1 already stored.\n" });
  const changed = petLine(1, "sold") + petLine(2, "pending") + petLine(3, "pending");
  const again = petstore.run(replace, changed);
  await expectExit(0, again, { stderr: "0 pets stored, 1 changed, 2 already stored.\n" });
  await expectExit(0, petstore.run("export pets"), { stdout: changed });
  const orders = petstore.run("import orders - --replace", '{"id":1}\n');
  await expectExit(2, orders, { stderr: /--replace is for pets/ });
});

describe("import orders", () => {
  test("replaces stored orders, and keeps every order byte for byte", async ({ file, petstore }) => {
    const second = '{ "total": 1.50, "id": 1, "big": 123456789012345678901234567890, "a": "\\u00e9" }\n';
    await petstore.run("import orders -", '{"id":1,"state":"open"}\n{"id":2}\n');
    const counts = "0 orders stored, 1 changed, 0 already stored.\n";
    await expectExit(0, petstore.run("import orders -", second), { stderr: counts });
    await expectExit(0, petstore.run("export orders"), { stdout: `${second}{"id":2}\n` });
    await using server = await startServer({ store: openSqliteStore(file) });
    expect((await server.call("/store/orders")).text).toBe(`[${second.trimEnd()},{"id":2}]`);
  });
});

describe("export", () => {
  test.for(["pets", "orders"])(
    "of imported %s can be imported again, and exports the same bytes",
    async (collection, { petstore }) => {
      const lines = Array.from({ length: 2_500 }, (_, index) => {
        // Over the whole range except the reserved ids, and more than two pages.
        const id = BigInt(index - 1_250) * 7_378_697_629_483_820n + 2_000_000_000_000_000n;
        return `{"id":${id},"name":"Bella ${index} 🦜","categoryId":${-id},"status":"sold"}\n`;
      });
      await petstore.run(`import ${collection} -`, lines.toReversed().join(""));
      const { stdout } = await petstore.run(`export ${collection}`);
      await expectExit(0, petstore.on("sqlite:copy.db").run(`import ${collection} -`, stdout), {
        stderr: /^Created \/\S+\/copy\.db\.\n2500 (?:pets|orders) stored, 0 already stored\.\n$/,
      });
      await expectExit(0, petstore.on("sqlite:copy.db").run(`export ${collection}`), { stdout: lines.join("") });
    },
  );

  test("ends quietly when its reader stops", async ({ petstore }) => {
    const lines = Array.from(
      { length: 5_000 },
      (_, index) => `{"id":${index + 1},"name":"${"x".repeat(200)}","categoryId":1}\n`,
    );
    await petstore.run("import pets -", lines.join(""));
    const ended = petstore.shell('{ "$@" export pets; echo $? >status; } | head -n 1').ended;
    await expectExit(0, ended, { stdout: /^\{"id":1,.*\}\n$/, stderr: "" });
    expect(readFileSync(petstore.path("status"), "utf8")).toBe("0\n");
  });
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
    for (const args of [
      ["import", "pets", name],
      ["import", "pets", `missing ${name}`],
      ["import", hostile, name],
      [hostile],
      ["backup", name],
      ["keys", "revoke", hostile],
      ["remove", "pets", hostile, "1"],
    ]) {
      const { exitCode, stdout, stderr } = await petstore.run(args);
      expect(exitCode).not.toBe(0);
      expect(stdout).toBe("");
      expect(stderr).toContain(String.raw`\u001b[2J`);
      expect(stderr).not.toMatch(obeyed);
    }
  });
});

test("2 from import pets for a directory, and 65 for a byte order mark and for the second of two animals with one id, each in one line", async ({
  petstore,
}) => {
  await expectExit(2, petstore.run("import pets ."), {
    stderr: "petstore-server: . cannot be read: it is a directory\n",
  });
  const line = '{"id":7,"name":"Rex","categoryId":7}\n';
  await expectExit(65, petstore.run("import pets -", `\uFEFF${line}`), {
    stderr: /standard input:1: line: must not begin with a byte order mark\n/,
  });
  const input = line + line.replaceAll("7,", "8,") + line.replace("Rex", "Max");
  await expectExit(65, petstore.run("import pets -", input), {
    stderr: /standard input:3: id 7 is taken by a different animal\n/,
  });
});

function petLine(id: number, status: string): string {
  return `{"id":${id},"name":"Bella","categoryId":1,"status":"${status}"}\n`;
}
