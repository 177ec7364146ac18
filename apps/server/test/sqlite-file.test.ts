import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { temporaryDirectory } from "@petstore/test-kit/processes";
import { beforeAll, describe, expect, test } from "vitest";
import { DatabaseFileError } from "../src/store/sqlite/draft.ts";
import { openDatabaseFile } from "../src/store/sqlite/file.ts";
import { sqliteMigrations } from "../src/store/sqlite/schema.ts";
import { openSqliteStore } from "../src/store/sqlite/store.ts";

const pageBytes = 4096;

/** A good database of many pages. */
let good: Buffer;

beforeAll(async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "petstore.db");
  const store = openSqliteStore(file);
  await store.importPets(Array.from({ length: 2_000 }, () => ({ name: "Bella", categoryId: 1, status: "sold" })));
  await store.close();
  good = readFileSync(file);
});

describe("a new database file", () => {
  test.each([
    ["busy_timeout", 250],
    ["journal_mode", "wal"],
    ["synchronous", 2],
    ["foreign_keys", 1],
    ["trusted_schema", 0],
    ["cell_size_check", 1],
    ["wal_autocheckpoint", 1000],
    ["journal_size_limit", 64 * 1024 * 1024],
  ])("is used with %s = %s", (name, value) => {
    using directory = temporaryDirectory();
    using database = openDatabaseFile(join(directory.path, "petstore.db"));
    const [actual] = Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {});
    expect(typeof actual === "bigint" ? Number(actual) : actual).toBe(value);
  });

  test("is marked as ours and says its schema version", () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "petstore.db");
    openDatabaseFile(file).close();
    using database = new DatabaseSync(file);
    expect(database.prepare("PRAGMA application_id").get()).toEqual({
      application_id: Buffer.from("Pets").readInt32BE(),
    });
    expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: sqliteMigrations.length });
    expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  });

  test("has strict tables only", () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "petstore.db");
    openDatabaseFile(file).close();
    using database = new DatabaseSync(file);
    const tables = database.prepare("SELECT name, strict FROM pragma_table_list WHERE name NOT LIKE 'sqlite_%'").all();
    expect(Object.fromEntries(tables.map(({ name, strict }) => [name, strict]))).toEqual({
      api_keys: 1,
      idempotency: 1,
      key_changes: 1,
      migrations: 1,
      numbering: 1,
      orders: 1,
      pets: 1,
      secrets: 1,
    });
  });

  test("is readable by its owner only, as is all that SQLite puts beside it", () => {
    using directory = temporaryDirectory();
    using database = openDatabaseFile(join(directory.path, "petstore.db"));
    database.exec("DELETE FROM idempotency");
    const modes = readdirSync(directory.path).map((name) => [name, statSync(join(directory.path, name)).mode & 0o777]);
    expect(Object.fromEntries(modes)).toEqual({
      "petstore.db": 0o600,
      "petstore.db-shm": 0o600,
      "petstore.db-wal": 0o600,
    });
  });

  test("is not made beside the log of one that is missing, whose changes are kept", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "petstore.db");
    const moved = openSqliteStore(file);
    await moved.createPet({ name: "Bella", categoryId: 1, status: "sold" });
    const log = readFileSync(`${file}-wal`);
    await moved.close();
    rmSync(file);
    writeFileSync(`${file}-wal`, log);

    expect(() => openSqliteStore(file)).toThrow(
      `${file} is missing, but its log ${file}-wal is there: restore the file, or remove the log`,
    );
    expect(readFileSync(`${file}-wal`)).toEqual(log);
    expect(existsSync(file)).toBe(false);
  });

  test("leaves nothing else behind when it is closed", () => {
    using directory = temporaryDirectory();
    openDatabaseFile(join(directory.path, "petstore.db")).close();
    expect(readdirSync(directory.path)).toEqual(["petstore.db"]);
  });
});

interface Refusal {
  what: string;
  /** Puts it at `file`. */
  make: (file: string) => void;
  message: RegExp;
}

const refusals: Refusal[] = [
  { what: "an empty file", make: (file) => writeFileSync(file, ""), message: /is empty: restore a backup/ },
  { what: "a text file", make: (file) => writeFileSync(file, "name,category\n".repeat(20)), message: notSqlite() },
  { what: "a short file", make: (file) => writeFileSync(file, good.subarray(0, 99)), message: notSqlite() },
  { what: "a damaged magic number", make: (file) => writeFileSync(file, garbled(0, 16)), message: notSqlite() },
  { what: "a damaged header", make: (file) => writeFileSync(file, garbled(16, 60)), message: damaged() },
  {
    what: "garbage in the schema page",
    make: (file) => writeFileSync(file, garbled(100, pageBytes)),
    message: damaged(),
  },
  {
    what: "garbage in a middle page",
    make: (file) => writeFileSync(file, garbled(8 * pageBytes, 9 * pageBytes)),
    message: damaged(),
  },
  {
    what: "half of the file",
    make: (file) => writeFileSync(file, good.subarray(0, good.length / 2)),
    message: damaged(),
  },
  {
    what: "another program's database",
    make: (file) => write(file, "CREATE TABLE pets (id)"),
    message: /is a SQLite database, but not one of Petstore$/,
  },
  {
    what: "a newer schema",
    make: (file) => change(file, "PRAGMA user_version = 99"),
    message: new RegExp(
      `has schema 99, but this program knows only ${sqliteMigrations.length}: use the newer program that wrote it$`,
    ),
  },
  { what: "no schema version", make: (file) => change(file, "PRAGMA user_version = 0"), message: damaged() },
  {
    what: "our mark without our tables",
    make: (file) =>
      write(file, `PRAGMA application_id = ${Buffer.from("Pets").readInt32BE()}; PRAGMA user_version = 1`),
    message: damaged(),
  },
  { what: "a missing table", make: (file) => change(file, "DROP TABLE api_keys"), message: damaged() },
  {
    what: "a missing column",
    make: (file) => change(file, "ALTER TABLE orders DROP COLUMN json"),
    message: /is damaged \(orders\.json is missing\): restore a backup$/,
  },
  { what: "a directory", make: (file) => mkdirSync(file), message: /is not a file$/ },
  {
    what: "garbage in the write-ahead log beside a good file",
    make(file) {
      writeFileSync(file, good);
      writeFileSync(`${file}-wal`, Buffer.alloc(3 * pageBytes, 0xa5));
    },
    message:
      /petstore\.db-wal, which holds the latest changes, is damaged: restore a backup, or remove it and \S+petstore\.db-shm to lose them$/,
  },
];

test.each(refusals)("$what is refused in one line and left as it is", ({ make, message }) => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "petstore.db");
  make(file);
  const before = contents(directory.path);
  expect(() => openSqliteStore(file)).toThrow(
    expect.objectContaining({ name: "DatabaseFileError", message: expect.stringMatching(message) }),
  );
  expect(() => openSqliteStore(file)).toThrow(/^[^\n]*$/);
  expect(contents(directory.path)).toMatchObject(before);
});

test("a file in a directory that does not exist is refused, and the directory is not made", () => {
  using directory = temporaryDirectory();
  expect(() => openSqliteStore(join(directory.path, "missing", "petstore.db"))).toThrow(DatabaseFileError);
  expect(readdirSync(directory.path)).toEqual([]);
});

test("a write-ahead log that a power cut left short is read as far as it is whole", async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "petstore.db");
  const store = openSqliteStore(file);
  for (let count = 0; count < 20; count++) await store.createPet({ name: "Bella", categoryId: 1, status: "sold" });
  const [database, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
  await store.close();

  const lengths = [0, 1, 4, 31, 32, ...Array.from({ length: 20 }, (_, index) => Math.floor((log.length * index) / 20))];
  let most = 0;
  for (const length of [...lengths.toSorted((left, right) => left - right), log.length]) {
    const cut = join(directory.path, `cut-${length}.db`);
    writeFileSync(cut, database);
    writeFileSync(`${cut}-wal`, log.subarray(0, length));
    const reopened = openSqliteStore(cut);
    const pets = await reopened.listPets({ limit: 100 });
    await reopened.close();
    expect(pets.map(({ id }) => id)).toEqual(Array.from({ length: pets.length }, (_, index) => index + 1));
    expect(pets.length).toBeGreaterThanOrEqual(most);
    most = pets.length;
  }
  expect(most).toBe(20);
});

/** The good file with garbage from one byte to before another. */
function garbled(from: number, to: number): Buffer {
  return Buffer.from(good).fill(0xa5, from, to);
}

/** Runs SQL on a copy of the good file. */
function change(file: string, sql: string): void {
  writeFileSync(file, good);
  write(file, sql);
}

function write(file: string, sql: string): void {
  using database = new DatabaseSync(file);
  database.exec(sql);
}

function damaged(): RegExp {
  return /petstore\.db is damaged \(.+\): restore a backup$/;
}

function notSqlite(): RegExp {
  return /is damaged or is not a SQLite database$/;
}

/** What is in a directory: the bytes of files, and nothing of directories. */
function contents(directory: string): Record<string, string> {
  const entries = readdirSync(directory, { withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => [
      entry.name,
      entry.isFile() ? readFileSync(join(directory, entry.name)).toString("base64") : "directory",
    ]),
  );
}
