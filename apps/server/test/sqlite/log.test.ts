import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { endurance } from "@petstore/test-kit/endurance";
import { expectExit, start, temporaryDirectory } from "@petstore/test-kit/processes";
import { beforeAll, expect } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { test } from "../support/petstore.ts";
import { animal } from "../support/sqlite-test.ts";

const acknowledged = 12;
const headerBytes = 32;
const frameBytes = 4120;

/** The files of a database after `kill -9` and so many acknowledged animals, all of them only in its log. */
interface Remains {
  database: Buffer;
  log: Buffer;
  index: Buffer;
}

let remains: Remains;

beforeAll(async () => {
  using directory = temporaryDirectory();
  const file = `${directory.path}/petstore.db`;
  const store = openSqliteStore(file);
  for (let count = 0; count < acknowledged; count++) await store.createPet(animal);
  remains = { database: readFileSync(file), log: readFileSync(`${file}-wal`), index: readFileSync(`${file}-shm`) };
  await store.close();
});

/** How many animals a database with this log has. @throws {DatabaseFileError} if the log counts as damaged */
async function countAnimals(log: Buffer | undefined, index?: Buffer): Promise<number> {
  using directory = temporaryDirectory();
  const file = writeFiles(`${directory.path}/petstore.db`, log, index);
  const store = openSqliteStore(file);
  const pets = await store.listPets({ limit: 100 });
  await store.close();
  expect(pets.map(({ id }) => id)).toEqual(pets.map((_, place) => place + 1));
  return pets.length;
}

function writeFiles(file: string, log: Buffer | undefined, index?: Buffer): string {
  writeFileSync(file, remains.database);
  if (log) writeFileSync(`${file}-wal`, log);
  if (index) writeFileSync(`${file}-shm`, index);
  return file;
}

async function expectRejected(log: Buffer | undefined, index?: Buffer): Promise<void> {
  const message = /-wal, which holds the latest changes, is (damaged|missing or empty): restore a backup/;
  await expect(countAnimals(log, index)).rejects.toThrow(message);
}

/** With the lowest bit of a byte flipped. */
function flip(bytes: Buffer, position: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(position) ^ 1, position);
  return flipped;
}

/** Positions in the header of the log, and around the edges of its frames. */
function positions(): number[] {
  const frames = Math.floor((remains.log.length - headerBytes) / frameBytes);
  const edges = Array.from({ length: frames }, (_, index) => headerBytes + index * frameBytes);
  const step = endurance(8, 1);
  return [
    0,
    4,
    31,
    ...edges.filter((_, index) => index % step === 0).flatMap((edge) => [edge, edge + 8, edge + 2_000]),
  ];
}

test("a log that kill -9 leaves is read to its last animal, and rejected with a flipped bit, cut off, zeroed or removed", async () => {
  const { log, index } = remains;
  expect(await countAnimals(log, index)).toBe(acknowledged);
  expect(await countAnimals(log)).toBe(acknowledged);
  // As after a power cut, it is read up to its last complete commit.
  expect(await countAnimals(log.subarray(0, log.length - 5))).toBe(acknowledged - 1);
  for (const position of positions()) {
    await expectRejected(flip(log, position), index);
    await expectRejected(log.subarray(0, position), index);
    await expectRejected(Buffer.from(log).fill(0, position), index);
    if (position < headerBytes) await expectRejected(flip(log, position)); // also without its index
  }
  await expectRejected(undefined, index);
});

test("65 for a damaged log, in one line", async ({ petstore }) => {
  writeFiles(petstore.path("petstore.db"), flip(remains.log, 12), remains.index);
  await expectExit(65, petstore.run("export pets"), {
    stderr: /^petstore-server: \S+-wal, which holds the latest changes, is damaged: .*\n$/,
  });
});

test("a log that another process is writing never counts as damaged", async ({ petstore }) => {
  await openSqliteStore(petstore.path("petstore.db")).close();
  const script = `
    const { existsSync } = require("node:fs");
    const database = new (require("node:sqlite").DatabaseSync)("petstore.db");
    database.exec("PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 5; PRAGMA busy_timeout = 5000");
    console.log("writing");
    for (let id = 1; !existsSync("enough"); id++) {
      database.exec("INSERT OR REPLACE INTO orders (id, json) VALUES (" + (id % 20000) + ", '{}')");
    }`;
  await using writer = start(process.execPath, ["--eval", script], petstore);
  await writer.printed(/writing/);
  for (let opened = 0; opened < endurance(10, 200); opened++) {
    await openSqliteStore(petstore.path("petstore.db")).close();
    await setImmediate();
  }
  writeFileSync(petstore.path("enough"), "");
  await expectExit(0, writer.ended, { stderr: "" });
  using database = new DatabaseSync(petstore.path("petstore.db"), { readOnly: true });
  expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
});
