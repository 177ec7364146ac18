import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { temporaryDirectory } from "@petstore/test-servers/processes";
import { beforeAll, describe, expect } from "vitest";
import { openDatabaseFile } from "../../src/store/sqlite/file.ts";
import { sqliteMigrations } from "../../src/store/sqlite/schema.ts";
import { DatabaseFileError } from "../../src/store/sqlite/temporary-file.ts";
import { test } from "../support/petstore.ts";
import { openSqliteStore } from "../support/stores.ts";

const pageBytes = 4096;

/** A healthy database of many pages. */
let good: Buffer;

beforeAll(async () => {
  using directory = temporaryDirectory();
  const file = `${directory.path}/petstore.db`;
  const store = openSqliteStore(file);
  await store.importPets(Array.from({ length: 2_000 }, () => ({ name: "Bella", categoryId: 1, status: "sold" })));
  await store.close();
  good = readFileSync(file);
});

describe("a new database file", () => {
  test("is used with settings that keep acknowledged changes", ({ petstore }) => {
    using database = openDatabaseFile(petstore.path("petstore.db"));
    const settings = {
      busy_timeout: 250n,
      journal_mode: "wal",
      synchronous: 2n,
      journal_size_limit: 64n * 1024n * 1024n,
    };
    const read = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    const actual = Object.keys(settings).map((name) => [name, read(name)]);
    expect(Object.fromEntries(actual)).toEqual(settings);
  });

  test("has our application id, its schema version, and only strict tables", ({ petstore }) => {
    const file = petstore.path("petstore.db");
    openDatabaseFile(file).close();
    using database = new DatabaseSync(file);
    const read = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {});
    expect(read("application_id")).toEqual([Buffer.from("Pets").readInt32BE()]);
    expect(read("user_version")).toEqual([sqliteMigrations.length]);
    const tables = database.prepare("SELECT name, strict FROM pragma_table_list WHERE name NOT LIKE 'sqlite_%'").all();
    expect(tables.length).toBeGreaterThan(5);
    expect(tables.filter(({ strict }) => strict !== 1)).toEqual([]);
  });

  test("is readable only by its owner, like the files that SQLite creates next to it", ({ petstore }) => {
    const database = openDatabaseFile(petstore.path("petstore.db"));
    database.exec("DELETE FROM idempotency");
    const modes = readdirSync(petstore.directory).map((name) => [name, statSync(petstore.path(name)).mode & 0o777]);
    const names = ["petstore.db", "petstore.db-shm", "petstore.db-wal"];
    expect(Object.fromEntries(modes)).toEqual(Object.fromEntries(names.map((name) => [name, 0o600])));
    database.close();
    expect(readdirSync(petstore.directory)).toEqual(["petstore.db"]);
  });

  test("is not created next to the log of a missing file, whose changes are kept", async ({ petstore }) => {
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
});

const damaged = /petstore\.db is damaged \(.+\): restore a backup$/;
const notSqlite = /is damaged or is not a SQLite database$/;
const foreign = /is not a Petstore database: correct its path, or restore a backup$/;

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
    change("PRAGMA user_version = 99"),
    new RegExp(
      `has schema 99, but this program knows only ${sqliteMigrations.length}: use the newer program that wrote it$`,
    ),
  ],
  [
    "a folder, as Docker creates it for a missing file,",
    (file) => mkdirSync(file),
    /petstore\.db is a folder: name a file, such as one in it$/,
  ],
];

test.for(unusable)("%s is rejected in one line and left unchanged", ([, make, message], { petstore }) => {
  const file = petstore.path("petstore.db");
  make(file);
  const before = contents(petstore.directory);
  expect(() => openSqliteStore(file)).toThrow(
    expect.objectContaining({ name: "DatabaseFileError", message: expect.stringMatching(message) }),
  );
  expect(() => openSqliteStore(file)).toThrow(/^[^\n]*$/);
  expect(contents(petstore.directory)).toMatchObject(before);
});

test("a file in a directory that does not exist is rejected, and the directory is not created", ({ petstore }) => {
  expect(() => openSqliteStore(petstore.path("missing/petstore.db"))).toThrow(DatabaseFileError);
  expect(readdirSync(petstore.directory)).toEqual([]);
});

/** Creates the healthy file, with garbage from one byte to before another. */
function garble(from: number, to: number): (file: string) => void {
  return (file) => writeFileSync(file, Buffer.from(good).fill(0xa5, from, to));
}

/** Creates the healthy file, and runs SQL on it. */
function change(sql: string): (file: string) => void {
  return (file) => {
    writeFileSync(file, good);
    write(file, sql);
  };
}

function write(file: string, sql: string): void {
  using database = new DatabaseSync(file);
  database.exec(sql);
}

/** The content of a directory: the bytes of its files, without its directories. */
function contents(directory: string): Record<string, string> {
  const entries = readdirSync(directory, { withFileTypes: true });
  const bytesOf = (name: string) => readFileSync(`${directory}/${name}`, "base64");
  return Object.fromEntries(entries.map((entry) => [entry.name, entry.isFile() ? bytesOf(entry.name) : "directory"]));
}
