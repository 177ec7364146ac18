import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { openDatabaseFile } from "../../src/store/sqlite/file.ts";
import { test } from "../support/petstore.ts";
import { openSqliteStore } from "../support/stores.ts";

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

/** Files that are not databases of Petstore: how to create them, and the message. */
const unusable: [what: string, make: (file: string) => void, message: RegExp][] = [
  ["garbage in the schema page", garble, /petstore\.db is damaged \(.+\): restore a backup$/],
  [
    "another program's database",
    (file) => write(file, "CREATE TABLE pets (id)"),
    /is not a Petstore database: correct its path, or restore a backup$/,
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

/** Creates a database whose first page has garbage after the header. */
function garble(file: string): void {
  openDatabaseFile(file).close();
  writeFileSync(file, readFileSync(file).fill(0xa5, 100, 4_096));
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
