import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { expectExit, start, temporaryDirectory } from "@petstore/test-kit/processes";
import { beforeAll, describe, expect, onTestFinished } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { test } from "../support/petstore.ts";

const acknowledged = 30;

/** The files of a database after `kill -9` and so many acknowledged animals, all of them only in its log. */
interface Remains {
  database: Buffer;
  log: Buffer;
  index: Buffer;
}

let remains: Remains;

beforeAll(async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "petstore.db");
  const store = openSqliteStore(file);
  for (let count = 0; count < acknowledged; count++) {
    await store.createPet({ name: "Bella", categoryId: 1, status: "sold" });
  }
  remains = { database: readFileSync(file), log: readFileSync(`${file}-wal`), index: readFileSync(`${file}-shm`) };
  await store.close();
});

/** Moves files. */
function place({ log, index }: { log?: Buffer | undefined; index?: Buffer | undefined }): string {
  const directory = temporaryDirectory();
  onTestFinished(() => directory[Symbol.dispose]());
  const file = join(directory.path, "petstore.db");
  writeFileSync(file, remains.database);
  if (log !== undefined) writeFileSync(`${file}-wal`, log);
  if (index !== undefined) writeFileSync(`${file}-shm`, index);
  return file;
}

/** How many animals there are, each with one of the first ids. */
async function countAnimals(file: string): Promise<number> {
  const store = openSqliteStore(file);
  const pets = await store.listPets({ limit: 100 });
  await store.close();
  expect(pets.map(({ id }) => id)).toEqual(pets.map((_, index) => index + 1));
  return pets.length;
}

function flip(bytes: Buffer, bit: number): Buffer {
  const flipped = Buffer.from(bytes);
  flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return flipped;
}

/** Positions in a log: its beginning, middle and end, before, at and after the edges of frames. */
function positions(): number[] {
  const frames = Math.floor((remains.log.length - 32) / 4120);
  const edges = Array.from({ length: frames }, (_, index) => 32 + index * 4120);
  return [0, 1, 4, 31, ...edges.flatMap((edge) => [edge, edge + 8, edge + 24, edge + 2_000])];
}

/** Checks that a log is rejected, also the second time. */
function expectRefused(files: Parameters<typeof place>[0]): void {
  const file = place(files);
  for (let times = 0; times < 2; times++) expect(() => openSqliteStore(file)).toThrow(isDamaged);
}

const isDamaged =
  /^\S+petstore\.db-wal, which holds the latest changes, is (?:damaged|missing or empty): restore a backup/;

describe("the log that kill -9 leaves", () => {
  test("is read to its last animal, with and without its index", async () => {
    expect(await countAnimals(place(remains))).toBe(acknowledged);
    expect(await countAnimals(place({ log: remains.log }))).toBe(acknowledged);
  });

  test("is rejected with any of the 256 bits of its header flipped", () => {
    for (let bit = 0; bit < 256; bit++) {
      for (const index of [remains.index, undefined]) expectRefused({ log: flip(remains.log, bit), index });
    }
  });

  test.for([
    ["its header", 0, 32],
    ["its magic number", 0, 4],
    ["its salts", 16, 24],
  ] as const)("is rejected with zeros for %s", ([, from, to]) => {
    const log = Buffer.from(remains.log).fill(0, from, to);
    for (const index of [remains.index, undefined]) expectRefused({ log, index });
  });

  test("is rejected with a bit of any page flipped, unless only the last commit is damaged and there is no index", () => {
    const lastCommit = remains.log.length - 3 * 4120;
    for (const position of positions()) {
      const log = flip(remains.log, 8 * position + 3);
      expectRefused({ log, index: remains.index });
      if (position < lastCommit) expectRefused({ log });
    }
  });

  test("is rejected when it is cut off anywhere, zeroed from anywhere to its end, or removed", () => {
    for (const position of positions()) {
      expectRefused({ log: remains.log.subarray(0, position), index: remains.index });
      expectRefused({ log: Buffer.from(remains.log).fill(0, position), index: remains.index });
    }
    expectRefused({ index: remains.index });
  });

  test("is not needed when the database holds all of it", async () => {
    const file = place({ log: remains.log });
    using database = new DatabaseSync(file);
    database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    const copy = place({ index: readFileSync(`${file}-shm`) });
    copyFileSync(file, copy);
    expect(existsSync(`${copy}-wal`)).toBe(false);
    expect(await countAnimals(copy)).toBe(acknowledged);
  });
});

test("a log without its index after a power cut is read up to its last complete commit", async () => {
  const { log } = remains;
  let most = 0;
  for (const position of [...positions(), log.length]) {
    const count = await countAnimals(place({ log: log.subarray(0, position) }));
    expect(count).toBeGreaterThanOrEqual(most);
    most = count;
  }
  expect(most).toBe(acknowledged);
  const lastFrame = log.length - 4120;
  for (const torn of [
    log.subarray(0, lastFrame),
    log.subarray(0, lastFrame + 5),
    Buffer.from(log).fill(0, lastFrame - 100, lastFrame),
  ]) {
    expect(await countAnimals(place({ log: torn }))).toBe(acknowledged - 1);
  }
  expect(await countAnimals(place({ log: Buffer.alloc(log.length) }))).toBe(0);
});

test.for(["serve", "export pets", "backup copy.db", "migrate"])(
  "65 from %s for a damaged log, in one line",
  async (command, { petstore }) => {
    const file = place({ log: flip(remains.log, 100), index: remains.index });
    await expectExit(65, petstore.on(`sqlite:${file}`).run(command), {
      stderr: /^petstore-server: \S+-wal, which holds the latest changes, is damaged: .*\n$/,
    });
  },
);

test("a log that another process is writing never counts as damaged", async ({ petstore }) => {
  await openSqliteStore(petstore.path("petstore.db")).close();
  const script = `
    const { DatabaseSync } = require("node:sqlite");
    const database = new DatabaseSync("petstore.db");
    database.exec("PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 5; PRAGMA busy_timeout = 5000");
    console.log("writing");
    for (let id = 1; id <= 20000; id++) database.exec("INSERT OR REPLACE INTO orders (id, json) VALUES (" + id + ", '{}')");`;
  await using writer = start(process.execPath, ["--eval", script], petstore);
  await writer.printed(/writing/);
  const writing = { goesOn: true };
  void writer.ended.then(() => (writing.goesOn = false));
  let opened = 0;
  for (; writing.goesOn; opened++) {
    await openSqliteStore(petstore.path("petstore.db")).close();
    await setImmediate();
  }
  await expectExit(0, writer.ended, { stderr: "" });
  expect(opened).toBeGreaterThan(5);
});
