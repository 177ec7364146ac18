import { readFileSync, writeFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { endurance } from "@petstore/test-kit/endurance";
import { expectExit, start } from "@petstore/test-kit/processes";
import { expect } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { animal, test } from "../support/sqlite-test.ts";

const acknowledged = 12;

test("65 for a log that was damaged after kill -9; a whole one is read to its last complete commit", async ({
  file,
  petstore,
}) => {
  const store = openSqliteStore(file);
  for (let count = 0; count < acknowledged; count++) await store.createPet(animal);
  // All animals are only in the log.
  const [database, log, index] = [readFileSync(file), readFileSync(`${file}-wal`), readFileSync(`${file}-shm`)];
  await store.close();

  function write(damagedLog: Buffer, withIndex: boolean): void {
    writeFileSync(file, database);
    writeFileSync(`${file}-wal`, damagedLog);
    writeFileSync(`${file}-shm`, withIndex ? index : "");
  }

  async function countAnimals(): Promise<number> {
    const opened = openSqliteStore(file);
    const pets = await opened.listPets({ limit: 100 });
    await opened.close();
    return pets.length;
  }

  write(log, true);
  expect(await countAnimals()).toBe(acknowledged);
  write(log.subarray(0, log.length - 5), false); // as after a power cut
  expect(await countAnimals()).toBe(acknowledged - 1);

  for (let position = 0; position < log.length; position += endurance(1_999, 97)) {
    const flipped = Buffer.from(log);
    flipped.writeUInt8(flipped.readUInt8(position) ^ 1, position);
    for (const damaged of [flipped, log.subarray(0, position), Buffer.from(log).fill(0, position)]) {
      write(damaged, true);
      await expect(countAnimals()).rejects.toThrow(
        /-wal, which holds the latest changes, is (damaged|missing or empty)/,
      );
    }
  }
  await expectExit(65, petstore.run("export pets"), {
    stderr: /^petstore-server: \S+-wal, which holds the latest changes, is damaged: .*\n$/,
  });
});

test("a log that another process is writing never counts as damaged", async ({ file, petstore }) => {
  await openSqliteStore(file).close();
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
    await openSqliteStore(file).close();
    await setImmediate();
  }
  writeFileSync(petstore.path("enough"), "");
  await expectExit(0, writer.ended, { stderr: "" });
});
