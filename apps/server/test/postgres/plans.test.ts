import { filterNames, type FilterName } from "@petstore/contract/fields";
import { startPostgresServer } from "@petstore/test-postgres/postgres-server";
import { expect } from "vitest";
import { test } from "../support/petstore.ts";
import { runSql } from "../support/postgres-database.ts";
import { openPostgresStore } from "../support/stores.ts";

const animals = 30_000;

/** How many rows were read, by any index or without. A session reports them at its end. */
const countRows = `SELECT (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'pets')::int
  + (SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'pets')::int AS count`;

async function rowsRead(url: string): Promise<number> {
  const [row] = (await runSql(url, countRows)) as [{ count: number }];
  return row.count;
}

/** For each filter a rare value, a common one, and perhaps one that no animal has. */
const values = { categoryId: [7, 1, 99], status: ["sold", "pending"] } as const satisfies Record<FilterName, unknown>;

/** Every combination of filters with these values. */
const filters = filterNames.reduce<object[]>(
  (sets, name) => sets.flatMap((set) => [set, ...values[name].map((value) => ({ ...set, [name]: value }))]),
  [{}],
);

test("pages and updates read hardly more rows than they return, for rare and common values, with and without statistics", async ({
  database,
}) => {
  const { name, url } = database;
  await runSql(
    url,
    `ALTER TABLE pets SET (autovacuum_enabled = off);
     INSERT INTO pets SELECT id, 'Rex', CASE WHEN id % 10000 = 9 THEN 7 WHEN id % 3 = 0 THEN 2 ELSE 1 END,
       CASE WHEN id % 10000 = 7 THEN 'sold' WHEN id % 2 = 0 THEN 'available' ELSE 'pending' END
     FROM generate_series(1, ${animals}) AS id`,
  );
  for (const prepare of ["SELECT", "ANALYZE pets"]) {
    await runSql(url, prepare);
    for (const mode of ["force_custom_plan", "force_generic_plan"]) {
      await database.administer(`ALTER DATABASE ${name} SET plan_cache_mode = ${mode}`);
      const before = await rowsRead(url);
      const store = await openPostgresStore(url, { poolSize: 1 }); // one session, which reports its reads when it ends
      let returned = 0;
      for (const filter of filters)
        for (const after of [undefined, animals / 2, animals])
          returned += (await store.listPets({ limit: 101, after, ...filter })).length;
      await store.updatePet(animals, { name: "Mia" }, { ifStatus: "available" });
      await store.close();
      // Without a filter, by a common value and by both there are two full pages, and by the others what there is of rare values.
      expect(returned).toBe(4 * 2 * 101 + 4 + 4 + 4 + 2);
      await expect.poll(() => rowsRead(url)).not.toBe(before);
      expect((await rowsRead(url)) - before, `${prepare}, ${mode}`).toBeLessThan(returned + 100);
    }
  }
});

test.for([
  [
    "a change with a key reads",
    `SELECT write_pets('[{ "id": 1, "owner_id": "key_a", "key": "k", "fingerprint": "f", "now": 1000 }]', FALSE)`,
  ],
  ["the removal of expired records reads", "SELECT clear_expired(0, 1000, 0, 10)"],
])("%s no other record, also if PostgreSQL planned for an empty table", async ([, call], { database: { url } }) => {
  await runSql(url, "ALTER TABLE idempotency SET (autovacuum_enabled = off)");
  await runSql(url, "VACUUM idempotency"); // without it, PostgreSQL assumes some rows
  await runSql(
    url,
    `${call} FROM generate_series(1, 10);
     INSERT INTO idempotency SELECT 'key_a', id::text, 'f', id, 'Rex', 1, 'sold', 2000 FROM generate_series(1, ${animals}) AS id;
     ${call};
     CREATE TABLE rows_read AS SELECT seq_tup_read::int AS count FROM pg_stat_xact_user_tables WHERE relname = 'idempotency'`,
  );
  expect(await runSql(url, "TABLE rows_read")).toEqual([{ count: 0 }]);
});

/** A plan in the log of PostgreSQL, as auto_explain writes it. */
interface Explained {
  "Query Text": string;
  Plan: { "Total Cost": number };
  JIT?: object;
}

/** By default, PostgreSQL compiles what it estimates as more expensive. */
const jitAboveCost = 100_000;

/** PostgreSQL reports the plan of every statement, those in functions too, and compiles each one that a session does not forbid. */
const explainAll = [
  "session_preload_libraries = auto_explain",
  "auto_explain.log_min_duration = 0",
  "auto_explain.log_nested_statements = on",
  "auto_explain.log_format = json",
  "jit = on",
  "jit_above_cost = 0",
];

test("no statement of a request is estimated as worth compiling, and none is compiled", async () => {
  await using postgres = await startPostgresServer(...explainAll);
  const store = await openPostgresStore(`${postgres.url}/postgres`);
  const pet = { name: "Rex", categoryId: 1, status: "available" } as const;
  const request = { ownerId: "o", key: "k", fingerprint: "f", now: 0, expiresAt: 1_000 };
  await store.createPet(pet, request);
  await store.createPet(pet, request);
  await store.createPet(pet);
  await store.updatePet(1, { name: "Mia" }, { ifStatus: "available", idempotency: { ...request, key: "l" } });
  await store.listPets({ limit: 101, status: "available" });
  await store.listPets({ limit: 101, after: 1 });
  await store.getPet(1);
  await store.listOrders({ limit: 101 });
  await store.findKey(new Uint8Array(32));
  await store.createRateLimiter({ requests: 1, windowMs: 1_000 }).count("o");
  await store.listChanges(1);
  await store.deletePet(1);
  await store.removePets([2]);
  await store.close();

  await expect.poll(() => postgres.log()).toContain("DELETE FROM pets WHERE id = ANY");
  const explained = [...postgres.log().matchAll(/plan:\n(\t\{\n[^]*?\n\t\}\n)/g)].map(
    ([, plan = ""]) => JSON.parse(plan) as Explained,
  );
  expect(explained.length).toBeGreaterThan(20);
  const expensive = explained.filter((each) => each.Plan["Total Cost"] > jitAboveCost || each.JIT !== undefined);
  expect(expensive.map((each) => each["Query Text"])).toEqual([]);
});
