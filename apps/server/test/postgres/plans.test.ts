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

test("pages and updates read hardly more rows than they return, for a rare and a common status, with and without statistics", async ({
  database,
}) => {
  const { name, url } = database;
  await openPostgresStore(url).then((store) => store.close());
  await runSql(
    url,
    `ALTER TABLE pets SET (autovacuum_enabled = off);
     INSERT INTO pets SELECT id, 'Rex', 1, CASE WHEN id % 10000 = 7 THEN 'sold' WHEN id % 2 = 0 THEN 'available' ELSE 'pending' END
     FROM generate_series(1, ${animals}) AS id`,
  );
  for (const prepare of ["SELECT", "ANALYZE pets"]) {
    await runSql(url, prepare);
    for (const mode of ["force_custom_plan", "force_generic_plan"]) {
      await database.administer(`ALTER DATABASE ${name} SET plan_cache_mode = ${mode}`);
      const before = await rowsRead(url);
      const store = await openPostgresStore(url, { poolSize: 1 }); // one session, which reports its reads when it ends
      const sold = await store.listPets({ limit: 101, status: "sold" });
      const rare = await store.listPets({ limit: 101, status: "sold", after: animals / 2 });
      const pages = [sold, rare, await store.listPets({ limit: 101, status: "pending", after: animals / 2 })];
      pages.push(await store.listPets({ limit: 101, after: animals / 2 }));
      await store.updatePet(animals, { name: "Mia" }, { ifStatus: "available" });
      await store.close();
      expect(pages.map((page) => page.length)).toEqual([3, 1, 101, 101]);
      await expect.poll(() => rowsRead(url)).not.toBe(before);
      expect((await rowsRead(url)) - before, `${prepare}, ${mode}`).toBeLessThan(250);
    }
  }
});

test.for([
  [
    "an update with a key reads",
    `SELECT claim_key('{ "owner_id": "key_a", "key": "k", "fingerprint": "f", "now": 1000 }')`,
  ],
  ["the removal of expired records reads", "SELECT clear_expired(0, 1000, 10)"],
])("%s no other record, also if PostgreSQL planned for an empty table", async ([, call], { database: { url } }) => {
  await openPostgresStore(url).then((store) => store.close());
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
