import { writeFileSync } from "node:fs";
import { endurance } from "@petstore/test-kit/endurance";
import { expectExit } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { test } from "../support/petstore.ts";
import { createDatabase, endSessions, runSql } from "../support/postgres-database.ts";
import { startServiceOn } from "../support/service-on-postgres.ts";

const count = endurance(2_501, 40_501);

/**
 * Animals in the order of their ids, over the whole range that an import accepts, with names that
 * are easily damaged on the way.
 */
const lines = Array.from({ length: count }, (_, index) => {
  const place = (BigInt(index) * (2n ** 64n - 2n ** 53n - 1n)) / BigInt(count - 1) - 2n ** 63n;
  const id = place < 0n ? place : place + 2n ** 53n;
  const name = ["た\u2028ま", " O'Hara \"; -- \\", "🦜".repeat(255), "\u0001\t\u007f\u0085\uFEFF"][
    index % 4
  ];
  return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${-id - 1n},"status":"sold"}\n`;
});

/** Whole batches. */
const storedAtKill = endurance(1_000, 20_000);

test("0 after kill -9 in the middle and a second run: animals are the same bytes in SQLite, in PostgreSQL and after another export", async ({
  petstore,
  database,
  onPostgres,
}) => {
  await petstore.run("import pets -", lines.toReversed().join(""));
  const { stdout: exported } = await petstore.run("export pets");
  expect(exported).toBe(lines.join(""));
  writeFileSync(petstore.path("all.ndjson"), exported);

  await holdImportAt(database.url, storedAtKill);
  const running = onPostgres.start("import pets all.ndjson");
  await expect.poll(() => runSql(database.url, held)).toHaveLength(1);
  running.kill("SIGKILL");
  await running.ended;
  await endSessions(database);
  await runSql(database.url, "DROP TRIGGER hold ON pets");
  expect(await runSql(database.url, "SELECT count(*)::int FROM pets")).toEqual([
    { count: storedAtKill },
  ]);

  await expectExit(0, onPostgres.run("import pets all.ndjson"), {
    stdout: "",
    stderr: `${lines.length - storedAtKill} pets stored, ${storedAtKill} already stored.\n`,
  });
  await expectExit(0, onPostgres.run("export pets"), { stdout: exported });
});

const held =
  "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";

/** Holds the statement that would store more animals than this. */
async function holdImportAt(url: string, stored: number): Promise<void> {
  await runSql(
    url,
    `CREATE FUNCTION hold() RETURNS TRIGGER LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT count(*) FROM pets) >= ${stored} THEN PERFORM pg_sleep(3600); END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER hold BEFORE INSERT ON pets FOR EACH STATEMENT EXECUTE FUNCTION hold()`,
  );
}

describe.for(["SQLite", "PostgreSQL"])("while the service adds animals, on %s", (name) => {
  test("an import keeps the ids of its file for itself", async ({ petstore: file, onPostgres }) => {
    const petstore = name === "SQLite" ? file : onPostgres;
    const key = await petstore.createKey();
    await using server = await petstore.serve();
    const add = async () => {
      const { status, text } = await server.call(key, "/pets", '{"name":"Bella","categoryId":1}');
      expect(status).toBe(201);
      return JSON.parse(text) as { id: number };
    };
    const before = await add();
    // The largest id is neither in the first batch nor in the last line.
    const animals = Array.from(
      { length: 4_000 },
      (_, index) => `{"id":${100_000 + ((index + 1_000) % 4_000)},"name":"Milo","categoryId":1}\n`,
    );
    writeFileSync(file.path("some.ndjson"), animals.join(""));
    const running = petstore.start("import pets some.ndjson --replace");
    const added = [before];
    const over = new AbortController();
    void running.ended.then(() => over.abort());
    while (!over.signal.aborted) added.push(await add());
    added.push(await add());
    await expectExit(0, running.ended, { stderr: "4000 pets stored, 0 already stored.\n" });
    expect(added.at(-1)?.id).toBeGreaterThanOrEqual(104_000);
    expect(added.filter(({ id }) => id >= 100_000 && id < 104_000)).toEqual([]);
    const { stdout } = await petstore.run("export pets");
    expect(stdout.match(/"name":"Bella"/g)).toHaveLength(added.length);
  });
});

test("65 with file:line: field: reason for each bad line, anywhere in the file, of which nothing is stored, and 0 for the fixed file", async ({
  petstore,
}) => {
  await petstore.run("migrate");
  const integer = "must be an integer from -9223372036854775808 to 9223372036854775807";
  const name = "must be a string of 1 to 255 characters without U+0000 or lone surrogates";
  const reserved =
    "must not be from 4503599627370496 to 9007199254740991: these ids are reserved for new animals";
  const bad: [line: string, problem: string][] = [
    [
      '{"id":2,"name":"","categoryId":1.5,"status":"gone"}',
      `name: ${name}; categoryId: ${integer}; status: must be one of available, pending, sold`,
    ],
    ['{"id":9223372036854775808,"name":"Bella","categoryId":1}', `id: ${integer}`],
    ['{"name":"Bella","categoryId":1', "line: must be valid JSON"],
    ['["Bella"]', "line: must be a JSON object"],
    ['{"id":4503599627370496,"name":"Bella","categoryId":1}', `id: ${reserved}`],
    ['{"id":9007199254740991,"name":"Bella","categoryId":1}', `id: ${reserved}`],
    [`{"note":"${"x".repeat(200_000)}"}`, "line: must be at most 16384 bytes long"],
    ['{"id":6,"name":"\xff"}', "line: must be valid UTF-8"],
    ['{"name":"Bella","categoryId":1}', "id: is required: petstore pets import needs none"],
    ["\xef\xbb\xbf{}", "line: must not begin with a byte order mark"],
  ];
  const good = lines.slice(0, 2_400);
  const bytes = Buffer.from(bad.map(([line]) => `${line}\n`).join(""), "latin1");
  const parts = [good.slice(0, 1_200).join(""), bytes, "\n", good.slice(1_200).join(""), "{\n"];
  writeFileSync(
    petstore.path("pets.ndjson"),
    Buffer.concat(parts.map((part) => Buffer.from(part as string))),
  );
  const command = "import pets pets.ndjson";
  const { stderr } = await expectExit(65, petstore.run(command));
  expect(stderr.split("\n")).toEqual([
    ...bad.map(
      ([, problem], index) =>
        `${index === 0 ? "petstore-server: " : ""}pets.ndjson:${1_201 + index}: ${problem}`,
    ),
    `pets.ndjson:${2_400 + bad.length + 2}: line: must be valid JSON`,
    "Nothing was stored.",
    "",
  ]);
  await expectExit(0, petstore.run("export pets"), { stdout: "" });

  writeFileSync(
    petstore.path("pets.ndjson"),
    good
      .toReversed()
      .map((line) => line.replace("\n", "\r\n\n"))
      .join(""),
  );
  await expectExit(0, petstore.run(command), { stderr: "2400 pets stored, 0 already stored.\n" });
  await expectExit(0, petstore.run("export pets"), { stdout: good.join("") });
});

test("65 with at most 20 bad lines and the number of the others, and with one sentence for a sheet; 2 for a directory", async ({
  petstore,
}) => {
  await petstore.run("migrate");
  const { stderr } = await expectExit(65, petstore.run("import pets -", "{x\n".repeat(25)));
  const shown = stderr.trimEnd().split("\n");
  expect(shown).toHaveLength(22);
  const last = [
    "standard input:20: line: must be valid JSON",
    "… and 5 more",
    "Nothing was stored.",
  ];
  expect(shown.slice(19)).toEqual(last);
  await expectExit(65, petstore.run("import pets -", "name,categoryId\nRex,1\nMax,2\n"), {
    stderr:
      "petstore-server: standard input is not NDJSON. " +
      "To add the animals of a sheet: petstore pets import\n",
  });
  await expectExit(2, petstore.run("import pets ."), {
    stderr: "petstore-server: . cannot be read: it is a directory\n",
  });
});

test("65 at a conflict, named with file and line; what is stored before is skipped by the next run", async ({
  petstore,
}) => {
  await petstore.run("import pets -", '{"id":1200,"name":"Bella","categoryId":1}\n');
  const input = Array.from(
    { length: 1_500 },
    (_, index) => `{"id":${index + 1},"name":"Milo","categoryId":1}\n`,
  );
  for (const [stored, skipped] of [
    [1_000, 0],
    [0, 1_000],
  ]) {
    await expectExit(65, petstore.run("import pets -", input.join("")), {
      stderr:
        "petstore-server: standard input:1200: id 1200 is taken by a different animal\n" +
        `${stored} pets stored, ${skipped} already stored: all lines before line 1001. ` +
        "Fix the problem and run the same command again: nothing is stored twice.\n",
    });
  }
});

test("import orders replaces stored orders, and keeps every order byte for byte", async ({
  petstore,
}) => {
  const second =
    '{ "total": 1.50, "id": 1, "big": 123456789012345678901234567890, "a": "\\u00e9" }\n';
  await petstore.run("import orders -", '{"id":1,"state":"open"}\n{"id":2}\n');
  const counts = "0 orders stored, 1 changed, 0 already stored.\n";
  await expectExit(0, petstore.run("import orders -", second), { stderr: counts });
  await expectExit(0, petstore.run("export orders"), { stdout: `${second}{"id":2}\n` });
});

test("exported keys can be imported into PostgreSQL, and work there", async ({ petstore }) => {
  await using database = await createDatabase();
  const onPostgres = petstore.on(database.url);
  const key = await petstore.createKey("--scopes read --expires-in 90d");
  const revoked = await petstore.createKey("--test");
  const { stdout: listed } = await petstore.run("keys list --json");
  await petstore.run(`keys revoke ${(JSON.parse(listed) as { id: string }[])[1]?.id}`);
  const { stdout: exported } = await petstore.run("export keys");
  expect(exported.trimEnd().split("\n")).toHaveLength(2);
  expect(exported).not.toContain(key.slice("pst_live_".length, -6));

  await expectExit(0, onPostgres.run("import keys -", exported), {
    stderr: "Created the tables in the PostgreSQL database.\n2 keys stored, 0 already stored.\n",
  });
  await expectExit(0, onPostgres.run("export keys"), { stdout: exported });
  await using server = await startServiceOn(database.url);
  expect((await server.call("/pets", { apiKey: key })).status).toBe(200);
  expect((await server.call("/pets", { apiKey: revoked })).status).toBe(401);
  await expectExit(65, onPostgres.run("import keys -", exported.replace('"live"', '"test"')), {
    stderr: /^petstore-server: standard input:1: key_\w+ or its hash is taken by a different key\n/,
  });
});
