import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { StoreUnavailableError } from "@petstore/service";
import { expectExit, serving, type Serving } from "@petstore/test-servers/processes";
import { expect, onTestFinished } from "vitest";
import { holdClock } from "../support/hold-clock.ts";
import { unprivileged } from "../support/petstore.ts";
import { animal, request, test } from "../support/sqlite-test.ts";
import { openSqliteStore } from "../support/stores.ts";

async function readiness(server: Serving): Promise<number> {
  return (await server.ask("/readyz")).status;
}

test("65 for each command that needs a database without one, and none is created", async ({
  petstore,
}) => {
  const key = "key_000000000000";
  const onKeys = ["keys list", `keys revoke ${key}`];
  for (const command of [...onKeys, "export pets", "audit", "backup copy.db"]) {
    await expectExit(65, petstore.run(command), {
      stderr:
        /^petstore-server: \/\S+\/petstore\.db does not exist: correct PETSTORE_DATABASE_URL, .*\n$/,
    });
    expect(readdirSync(petstore.directory)).toEqual([]);
  }
});

/** What operators do to the files of a running server, and the message. */
const slips: [what: string, harm: (file: string) => unknown, message: RegExp][] = [
  [
    "the file is replaced",
    (file) => (copyFileSync(file, `${file}.new`), renameSync(`${file}.new`, file)),
    /petstore\.db was deleted, moved or replaced while in use: /,
  ],
  [
    "the index of the log is deleted",
    (file) => rmSync(`${file}-shm`),
    /petstore\.db-shm was deleted while in use: restart this process, which saves /,
  ],
  [
    "the log is replaced",
    (file) => (rmSync(`${file}-wal`), writeFileSync(`${file}-wal`, "")),
    /petstore\.db-wal was replaced while in use: restart this process$/,
  ],
  [
    "an older copy is written over the file",
    (file) => {
      const copy = readFileSync(file);
      copy.writeUInt32BE(copy.readUInt32BE(24) - 1, 24); // the counter of changes
      writeFileSync(file, copy);
    },
    /petstore\.db was overwritten while in use: stop this process, move the three files away, and run /,
  ],
  [
    "the file is emptied",
    (file) => truncateSync(file),
    /petstore\.db was overwritten while in use: stop this process, move the three files away, and run /,
  ],
];

test.for(slips)(
  "once %s, a store stores nothing, accepts no key and is not ready",
  async ([, harm, message], { file, store }) => {
    await store.createPet(animal);
    // Fills pages, and moves them from the log to the file.
    await store.importPets(Array.from({ length: 1_000 }, () => animal));
    {
      using database = new DatabaseSync(file);
      database.exec("PRAGMA wal_checkpoint");
    }
    const findKey = async () => await store.findKey("0".repeat(64));
    await store.ping();
    expect(await findKey()).toBeUndefined();
    const moveClock = holdClock();
    harm(file);
    const unavailable = {
      name: "StoreUnavailableError",
      message: expect.stringMatching(message) as string,
    };
    await expect(store.createPet(animal)).rejects.toMatchObject(unavailable);
    await expect(store.createPet(animal, request)).rejects.toMatchObject(unavailable);
    await expect(store.importPets([animal])).rejects.toMatchObject(unavailable);
    await expect((async () => await store.ping())()).rejects.toMatchObject(unavailable);
    moveClock(1_000);
    await expect(findKey()).rejects.toMatchObject(unavailable);
  },
);

test("once the file is moved away, a store creates no other, and stores again when it is back", async ({
  file,
  store,
  petstore,
}) => {
  await store.createPet(animal);
  await store.ping();
  renameSync(file, `${file}.old`);
  await expect(store.createPet(animal)).rejects.toThrow(StoreUnavailableError);
  await expect((async () => await store.ping())()).rejects.toThrow(StoreUnavailableError);
  expect(readdirSync(petstore.directory)).not.toContain("petstore.db");
  renameSync(`${file}.old`, file);
  expect(await store.createPet(animal)).toMatchObject({ pet: { id: 2 } });
  await store.ping();
});

test("the log of a database behind a symbolic link is beside the file that it leads to", async ({
  petstore,
}) => {
  mkdirSync(petstore.path("real"));
  await petstore.on("sqlite:real/petstore.db").run("migrate");
  symlinkSync("real/petstore.db", petstore.path("petstore.db"));
  const store = openSqliteStore(petstore.path("petstore.db"));
  onTestFinished(() => store.close());
  await store.createPet(animal);
  rmSync(petstore.path("real/petstore.db-wal"));
  await expect(store.createPet(animal)).rejects.toThrow("petstore.db-wal was deleted while in use");
});

test("65 for a file that may only be read", async ({ petstore }) => {
  const key = await petstore.createKey();
  const begin = () =>
    petstore.shell(`export PETSTORE_ADMIN_PORT=0; exec ${unprivileged} "$@" serve`);
  {
    await using server = await serving(begin());
    expect((await server.call(key, "/pets")).status).toBe(200);
    expect(await readiness(server)).toBe(200);
    chmodSync(petstore.path("petstore.db"), 0o400);
    await expect.poll(() => readiness(server)).toBe(503);
  }
  await expectExit(65, begin().ended, {
    stdout: /^/,
    stderr: /^petstore-server: \/\S+petstore\.db cannot be written: EACCES.*\n$/,
  });
});
