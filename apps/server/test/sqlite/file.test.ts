import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { temporaryDirectory } from "@petstore/test-servers/processes";
import { beforeAll, expect } from "vitest";
import { openDatabaseFile } from "../../src/store/sqlite/file.ts";
import { sqliteMigrations } from "../../src/store/sqlite/migrations.ts";
import { test } from "../support/petstore.ts";
import { openSqliteStore } from "../support/stores.ts";

test("every table is STRICT: SQLite rejects a value of another type", ({ petstore }) => {
  openDatabaseFile(petstore.path("petstore.db")).close();
  using database = new DatabaseSync(petstore.path("petstore.db"));
  const tables = database
    .prepare("SELECT name, strict FROM pragma_table_list WHERE name NOT LIKE 'sqlite_%'")
    .all();
  expect(tables.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["pets", "orders", "api_keys", "idempotency"]),
  );
  expect(tables.filter(({ strict }) => strict !== 1)).toEqual([]);
});

test("a new database file is not created next to the log of a missing file, whose changes are kept", async ({
  petstore,
}) => {
  const file = petstore.path("petstore.db");
  const moved = openSqliteStore(file);
  await moved.createPet({ name: "Bella", categoryId: 1, status: "sold" });
  const log = readFileSync(`${file}-wal`);
  await moved.close();
  rmSync(file);
  writeFileSync(`${file}-wal`, log);

  expect(() => openSqliteStore(file)).toThrow(
    `${file} is missing, but its log ${file}-wal exists: restore the file, or remove the log`,
  );
  expect(readFileSync(`${file}-wal`)).toEqual(log);
  expect(existsSync(file)).toBe(false);
});

const pageBytes = 4_096;

/** A healthy database of many pages. */
let good: Buffer;

beforeAll(async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "petstore.db");
  const store = openSqliteStore(file);
  await store.importPets(
    Array.from({ length: 2_000 }, () => ({ name: "Bella", categoryId: 1, status: "sold" })),
  );
  await store.close();
  good = readFileSync(file);
});

const damaged = /petstore\.db is damaged \(.+\): restore a backup$/;
const notSqlite = /is damaged or is not a SQLite database: correct its path, or restore a backup$/;
const foreign = /is not a Petstore database: correct its path, or restore a backup$/;
const newer = `has schema 99, but this program knows only ${sqliteMigrations.length}: use the newer program that wrote it`;

/** Files that are not databases of Petstore: how to create them, and the message. */
const unusable: [what: string, make: (file: string) => void, message: RegExp][] = [
  ["an empty file", (file) => writeFileSync(file, ""), foreign],
  ["a text file", (file) => writeFileSync(file, "name,category\n".repeat(20)), notSqlite],
  ["a damaged header", garble(16, 60), notSqlite],
  ["garbage in the schema page", garble(100, pageBytes), damaged],
  ["half of the file", (file) => writeFileSync(file, good.subarray(0, good.length / 2)), damaged],
  ["another program's database", (file) => write(file, "CREATE TABLE pets (id)"), foreign],
  [
    "a newer schema",
    (file) => {
      writeFileSync(file, good);
      write(file, "INSERT INTO migrations VALUES (99, 'later', '', 99, 0)");
    },
    new RegExp(`${newer}$`),
  ],
  [
    "a folder, as Docker creates it for a missing file,",
    (file) => mkdirSync(file),
    /petstore\.db is a folder: name a file, such as one in it$/,
  ],
];

test.for(unusable)(
  "%s is rejected in one line and left unchanged",
  ([, make, message], { petstore }) => {
    const file = petstore.path("petstore.db");
    make(file);
    const before = contents(petstore.directory);
    expect(() => openSqliteStore(file)).toThrow(
      expect.objectContaining({
        name: "DatabaseFileError",
        message: expect.stringMatching(message),
      }),
    );
    expect(() => openSqliteStore(file)).toThrow(/^[^\n]*$/);
    expect(contents(petstore.directory)).toMatchObject(before);
  },
);

/** Creates the healthy file, with garbage from one byte to before another. */
function garble(from: number, to: number): (file: string) => void {
  return (file) => writeFileSync(file, Buffer.from(good).fill(0xa5, from, to));
}

function write(file: string, sql: string): void {
  using database = new DatabaseSync(file);
  database.exec(sql);
}

/** The content of a directory: the bytes of its files, without its directories. */
function contents(directory: string): Record<string, string> {
  const entries = readdirSync(directory, { withFileTypes: true });
  const bytesOf = (name: string) => readFileSync(`${directory}/${name}`, "base64");
  return Object.fromEntries(
    entries.map((entry) => [entry.name, entry.isFile() ? bytesOf(entry.name) : "directory"]),
  );
}
