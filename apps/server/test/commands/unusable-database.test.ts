import { copyFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expectExit } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { test, type Petstore } from "../support/petstore.ts";
import { runSql } from "../support/postgres-database.ts";

const line = '{"id":1,"name":"Bella","categoryId":1}\n';

const commands = [
  "serve",
  "keys list",
  "keys create --name desk",
  "keys revoke key_000000000000",
  "export pets",
  "export keys",
  "import pets -",
  "audit",
  "audit --pet 1",
  "migrate",
  "migrate --status",
];

/** Every command ends with 65 and the message in one line, and doctor finds nothing else. */
async function expectRefused(
  petstore: Petstore,
  message: string | RegExp,
  more: readonly string[] = [],
): Promise<void> {
  const stderr = inOneLine("petstore-server: ", message);
  for (const command of [...commands, ...more])
    await expectExit(65, petstore.run(command, line), { stderr, stdout: "" });
  await expectExit(1, petstore.run("doctor"), { stdout: inOneLine("problem: ", message) });
}

function inOneLine(before: string, message: string | RegExp): string | RegExp {
  return typeof message === "string"
    ? `${before}${message}\n`
    : new RegExp(`^${before}${message.source}\\n$`);
}

const another =
  "was made by another version of this program: export the data with that version and import it with this one, as docs/upgrading.md says";

/**
 * What another version made: its migration has another text, or no checksum, as before the first
 * release.
 */
const others = [
  "UPDATE migrations SET checksum = 'other'",
  "ALTER TABLE migrations DROP COLUMN checksum",
];

test.for(others)(
  "65 for each command on a SQLite file of another version, after %s",
  async (sql, { petstore }) => {
    await petstore.createKey();
    const file = petstore.path("petstore.db");
    change(file, sql);
    const before = readFileSync(file);
    copyFileSync(file, petstore.path("copy.db"));
    await expectRefused(petstore, `${file} ${another}`, ["backup other.db"]);
    const copy = new RegExp(`copy\\.db ${another}\\n$`);
    for (const command of ["restore copy.db", "restore --verify copy.db"])
      await expectExit(65, petstore.on("sqlite:new.db").run(command), { stderr: copy });
    expect(readFileSync(file)).toEqual(before);
  },
);

test("65 for each command on a PostgreSQL database of another version", async ({
  database,
  onPostgres,
}) => {
  await onPostgres.createKey();
  await runSql(database.url, others[0] ?? "");
  await expectRefused(onPostgres, `The database ${another}`);
});

function change(file: string, sql: string): void {
  using database = new DatabaseSync(file);
  database.exec(sql);
}

/** Damage: how it is done to a file, and what SQLite finds. */
const damages: [what: string, harm: (file: string) => void, finding: string][] = [
  ["whose end is missing", (file) => truncateSync(file, 2 * 4_096), "[^)]*malformed[^)]*"],
  [
    "without the table pet_changes",
    (file) => change(file, "DROP TABLE pet_changes"),
    "no such column: pet_changes.number",
  ],
  [
    "without the table secrets",
    (file) => change(file, "DROP TABLE secrets"),
    "no such column: secrets.name",
  ],
  [
    "without the table migrations",
    (file) => change(file, "DROP TABLE migrations"),
    "no such table: migrations",
  ],
  [
    "with a renamed column",
    (file) => change(file, "ALTER TABLE pets RENAME COLUMN category_id TO kind"),
    "no such column: pets.category_id",
  ],
  ["with garbage in its pages", (file) => fill(file, 4_096, 6 * 4_096), "[^)]*malformed[^)]*"],
];

function fill(file: string, from: number, to: number): void {
  writeFileSync(file, readFileSync(file).fill(0xa5, from, to));
}

test.for(damages)(
  "65 for each command on a SQLite file %s",
  async ([, harm, finding], { petstore }) => {
    await petstore.createKey();
    const file = petstore.path("petstore.db");
    harm(file);
    copyFileSync(file, petstore.path("copy.db"));
    const message = new RegExp(`\\S+petstore\\.db is damaged \\(${finding}\\): restore a backup`);
    await expectRefused(petstore, message, ["backup other.db"]);
    for (const command of ["restore copy.db", "restore --verify copy.db"]) {
      const stderr = new RegExp(`copy\\.db is damaged \\(${finding}\\): restore a backup\\n$`);
      await expectExit(65, petstore.on("sqlite:new.db").run(command), { stderr });
    }
  },
);

test("65 for an export and an import that come to a damaged page of a SQLite file", async ({
  petstore,
}) => {
  const lines = Array.from({ length: 20_000 }, (_, id) => line.replace("1", String(id))).join("");
  await expectExit(0, petstore.run("import pets -", lines));
  const file = petstore.path("petstore.db");
  const middle = Math.floor(readFileSync(file).length / 8_192) * 4_096;
  fill(file, middle, middle + 40 * 4_096);
  const damaged = /petstore\.db is damaged \([^)]+\): restore a backup$/m;
  await expectExit(65, petstore.run("export pets"), { stderr: damaged, stdout: /^\{/ });
  await expectExit(65, petstore.run("import pets -", lines), { stderr: damaged });
});

test("65 for an audit that comes to a changed entry of the history", async ({ petstore }) => {
  await petstore.run("migrate");
  const entry = "1, 0, 'key_a', NULL, 'updated', '{garb'";
  change(
    petstore.path("petstore.db"),
    `INSERT INTO pet_changes (pet_id, at, author, request_id, action, previous) VALUES (${entry})`,
  );
  await expectExit(65, petstore.run("audit --pet 1"), {
    stderr: /petstore\.db is damaged \(.+\): restore a backup\n$/,
  });
});
