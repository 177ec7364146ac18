import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { run, start, temporaryDirectory } from "@petstore/test-kit/processes";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openSqliteStore } from "../src/store/sqlite/store.ts";

const acknowledged = 30;

/** What `kill -9` leaves of a database after so many acknowledged animals, all of them in its log only. */
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
  remains = {
    database: readFileSync(file),
    log: readFileSync(`${file}-wal`),
    index: readFileSync(`${file}-shm`),
  };
  await store.close();
});

/** Puts files in a new place. */
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

/** Of a log: its beginning, middle and end, before, at and after the edges of frames. */
function positions(): number[] {
  const frames = Math.floor((remains.log.length - 32) / 4120);
  const edges = Array.from({ length: frames }, (_, index) => 32 + index * 4120);
  return [0, 1, 4, 31, ...edges.flatMap((edge) => [edge, edge + 8, edge + 24, edge + 2_000])];
}

const isDamaged =
  /^\S+petstore\.db-wal, which holds the latest changes, is (?:damaged|missing or empty): restore a backup/;

describe("the log that kill -9 leaves", () => {
  test("is read to its last animal, with the index beside it and without", async () => {
    expect(await countAnimals(place(remains))).toBe(acknowledged);
    expect(await countAnimals(place({ log: remains.log }))).toBe(acknowledged);
  });

  test("is refused with any of the 256 bits of its header flipped", () => {
    for (let bit = 0; bit < 256; bit++) {
      for (const index of [remains.index, undefined]) {
        const file = place({ log: flip(remains.log, bit), index });
        for (let times = 0; times < 2; times++) expect(() => openSqliteStore(file)).toThrow(isDamaged);
      }
    }
  });

  test("is refused with zeros for its header, its magic number or its salts", () => {
    for (const [from, to] of [
      [0, 32],
      [0, 4],
      [16, 24],
    ] as const) {
      const log = Buffer.from(remains.log).fill(0, from, to);
      for (const index of [remains.index, undefined])
        expect(() => openSqliteStore(place({ log, index }))).toThrow(isDamaged);
    }
  });

  test("is refused with a bit of any page flipped, unless only the last commit is hurt and there is no index", () => {
    const lastCommit = remains.log.length - 3 * 4120;
    const damage = (position: number) => flip(remains.log, 8 * position + 3);
    for (const position of positions()) {
      expect(() => openSqliteStore(place({ log: damage(position), index: remains.index }))).toThrow(isDamaged);
    }
    for (const position of positions().filter((each) => each < lastCommit)) {
      expect(() => openSqliteStore(place({ log: damage(position) }))).toThrow(isDamaged);
    }
  });

  test("is refused when it is torn anywhere, zeroed from anywhere to its end, or removed", () => {
    for (const position of positions()) {
      const torn = remains.log.subarray(0, position);
      const zeroed = Buffer.from(remains.log).fill(0, position);
      for (const log of [torn, zeroed]) {
        const file = place({ log, index: remains.index });
        for (let times = 0; times < 2; times++) expect(() => openSqliteStore(file)).toThrow(isDamaged);
      }
    }
    expect(() => openSqliteStore(place({ index: remains.index }))).toThrow(isDamaged);
  });

  test("is not needed when the database holds all of it", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "petstore.db");
    copyFileSync(place(remains), file);
    writeFileSync(`${file}-wal`, remains.log);
    using database = new DatabaseSync(file);
    database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    const copy = place({ index: readFileSync(`${file}-shm`) });
    copyFileSync(file, copy);
    expect(existsSync(`${copy}-wal`)).toBe(false);
    expect(await countAnimals(copy)).toBe(acknowledged);
  });
});

test("a log that a power cut left without its index, with the last commit in parts, is read as far as it is whole", async () => {
  const { log } = remains;
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

test("65 for every command that opens a damaged log, in one line", async () => {
  const file = place({ log: flip(remains.log, 100), index: remains.index });
  const environment = { PETSTORE_DATABASE_URL: `sqlite:${file}`, PETSTORE_PORT: "0" };
  for (const command of [["serve"], ["export", "pets"], ["backup", `${file}.copy`], ["migrate"]]) {
    const { exitCode, stdout, stderr } = await run(".", command, { environment });
    expect({ exitCode, stdout }).toEqual({ exitCode: 65, stdout: "" });
    expect(stderr).toMatch(/^petstore-server: \S+-wal, which holds the latest changes, is damaged: .*\n$/);
  }
});

test("a log that another process writes, and begins again and again, is never taken for damaged", async () => {
  using directory = temporaryDirectory();
  await openSqliteStore(join(directory.path, "petstore.db")).close();
  const script = `
    const { DatabaseSync } = require("node:sqlite");
    const database = new DatabaseSync("petstore.db");
    database.exec("PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 5; PRAGMA busy_timeout = 5000");
    console.log("writing");
    for (let id = 1; id <= 20000; id++) database.exec("INSERT OR REPLACE INTO orders (id, json) VALUES (" + id + ", '{}')");`;
  await using writer = start(process.execPath, ["--eval", script], { directory: directory.path });
  await writer.printed(/writing/);
  const writing = { goesOn: true };
  void writer.ended.then(() => (writing.goesOn = false));
  let opened = 0;
  for (; writing.goesOn; opened++) {
    await openSqliteStore(join(directory.path, "petstore.db")).close();
    await setImmediate();
  }
  expect(await writer.ended).toMatchObject({ exitCode: 0, stderr: "" });
  expect(opened).toBeGreaterThan(5);
});
