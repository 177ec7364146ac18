import { writeFileSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { StoreUnavailableError, type ApiKey, type Store } from "@petstore/service";
import { changesOf } from "@petstore/service/conformance";
import { endurance } from "@petstore/test-kit/endurance";
import { expectExit, start } from "@petstore/test-servers/processes";
import { describe, expect, onTestFinished } from "vitest";
import { filterName, filterSets, uniqueColumns } from "../../src/store/filters.ts";
import { openDatabaseFile } from "../../src/store/sqlite/file.ts";
import { prepareStatements } from "../../src/store/sqlite/store.ts";
import { animal, request, test } from "../support/sqlite-test.ts";
import { historyMs, openSqliteStore } from "../support/stores.ts";

const key: ApiKey = { id: "key_a", name: "shop", kind: "live", scopes: ["read"], createdAt: 1 };
const hash = "0".repeat(64);

describe("several processes", () => {
  test("that open one new file at once all succeed and share the cursor secret", async ({
    petstore,
  }) => {
    // All wait for one signal, so that they start as close together as possible.
    const script = `
      import { existsSync } from "node:fs";
      import { openSqliteStore } from ${JSON.stringify(new URL("../support/stores.ts", import.meta.url).href)};
      const cell = new Int32Array(new SharedArrayBuffer(4));
      console.log("ready");
      while (!existsSync("go")) Atomics.wait(cell, 0, 0, 1);
      const store = openSqliteStore("petstore.db");
      console.log("secret", Buffer.from(store.cursorSecret).toString("hex"));
      await store.close();`;
    const args = ["--input-type=module", "--eval", script];
    const running = Array.from({ length: endurance(4, 24) }, () =>
      start(process.execPath, args, petstore),
    );
    await Promise.all(running.map((each) => each.printed(/ready/)));
    writeFileSync(petstore.path("go"), "");
    const secrets = await Promise.all(running.map((each) => each.printed(/secret ([0-9a-f]{64})/)));
    expect(new Set(secrets.map(([, secret]) => secret))).toHaveLength(1);
    for (const { ended } of running) await expectExit(0, ended);
  });

  test("write nothing while another holds the lock, and everything after it is killed", async ({
    petstore,
    file,
  }) => {
    const store = openSqliteStore(file, { limits: { lock: 150, write: 150 } });
    onTestFinished(() => store.close());
    await store.createKey(key, hash);
    const writes: (() => Promise<unknown>)[] = [
      () => store.createPet(animal),
      () => store.createPet(animal, request),
      () => store.importPets([animal]),
      () => store.importOrders([{ id: 1, json: "{}" }]),
      () => store.createKey({ ...key, id: "key_b" }, "1".repeat(64)),
      () => store.revokeKey("key_a", 5),
    ];
    const before = await everything(store);
    await using locker = await petstore.hold("BEGIN IMMEDIATE");
    for (const write of writes) {
      await expect(write()).rejects.toThrow(StoreUnavailableError);
      expect(await everything(store)).toEqual(before);
    }
    locker.kill("SIGKILL");
    await locker.ended;
    for (const write of writes) {
      const previous = await everything(store);
      await write();
      expect(await everything(store)).not.toEqual(previous);
    }
  });
});

test("expired idempotency records are removed", async ({ file, store }) => {
  for (const now of [0, 10, 20]) {
    await store.createPet(animal, { ...request, key: `at ${now}`, now, expiresAt: now + 5 });
  }
  using other = new DatabaseSync(file, { readOnly: true });
  expect(other.prepare("SELECT key FROM idempotency").all()).toEqual([{ key: "at 20" }]);
});

test("old changes of animals are forgotten, many at a time, and all others are kept", async ({
  file,
}) => {
  const store = openSqliteStore(file, { historyMs: 1_000 });
  onTestFinished(() => store.close());
  await store.createPet(animal);
  const change = (at: number) =>
    store.updatePet(1, { name: `at ${at}` }, { author: { at, by: "key_a" } });
  for (let count = 0; count < 20; count++) await change(5_000); // a wrong clock
  for (let at = 1; at <= 15; at++) await change(at);
  await change(1_014);
  const times = async () => (await changesOf(store, 1)).map(({ at }) => at).slice(20);
  expect(await times()).toEqual([11, 12, 13, 14, 15, 1_014]);
  await change(1_015);
  expect(await times()).toEqual([1_014, 1_015]);
});

test("a page is read from an index, without sorting", ({ file }) => {
  using database = openDatabaseFile(file);
  const { lists, listOrders } = prepareStatements(database, historyMs);
  for (const set of filterSets) {
    const columns = set.map((column) => `${column}=? AND `).join("");
    expect(planOf(database, lists[filterName(set)])).toEqual([
      set.length === 0
        ? "SEARCH pets USING INTEGER PRIMARY KEY (rowid>?)"
        : set.some((column) => uniqueColumns.includes(column))
          ? "SEARCH pets USING INDEX pets_by_reference (reference=? AND rowid>?)"
          : `SEARCH pets USING INDEX pets_by_${set.join("_and_")} (${columns}id>?)`,
    ]);
  }
  expect(planOf(database, listOrders)).toEqual([
    "SEARCH orders USING INTEGER PRIMARY KEY (rowid>?)",
  ]);
});

function planOf(database: DatabaseSync, statement: StatementSync | undefined): unknown[] {
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${statement?.sourceSQL}`).all();
  return plan.map((row) => Object.values(row).at(-1));
}

async function everything(store: Store): Promise<unknown> {
  return [
    await store.listPets({ limit: 100 }),
    await store.listOrders({ limit: 100 }),
    await store.listKeys(),
  ];
}
