import { filterNames, type FilterName } from "@petstore/contract/fields";
import { expect } from "vitest";
import { test } from "../support/petstore.ts";
import { runSql } from "../support/postgres-database.ts";
import { openPostgresStore } from "../support/stores.ts";

const animals = 30_000;

/** How many rows were read, by any index or without. A session reports them at its end. */
const countRows = `SELECT
  (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'pets')::int
  + (SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'pets')::int AS count`;

async function rowsRead(url: string): Promise<number> {
  const [row] = (await runSql(url, countRows)) as [{ count: number }];
  return row.count;
}

/** For each filter a rare value, a common one, and perhaps one that no animal has. */
const values = {
  categoryId: [7, 1, 99],
  status: ["sold", "pending"],
  reference: ["A7", "none"],
} as const satisfies Record<FilterName, unknown>;

/** Every combination of filters with these values. */
const filters = filterNames.reduce<object[]>(
  (sets, name) =>
    sets.flatMap((set) => [set, ...values[name].map((value) => ({ ...set, [name]: value }))]),
  [{}],
);

test("pages and updates read hardly more rows than they return, for rare and common values, with and without statistics", async ({
  database,
}) => {
  const { name, url } = database;
  await runSql(
    url,
    `ALTER TABLE pets SET (autovacuum_enabled = off);
     INSERT INTO pets (id, name, category_id, status, reference) SELECT
       id,
       'Rex',
       CASE WHEN id % 10000 = 9 THEN 7 WHEN id % 3 = 0 THEN 2 ELSE 1 END,
       CASE WHEN id % 10000 = 7 THEN 'sold' WHEN id % 2 = 0 THEN 'available' ELSE 'pending' END,
       'A' || id
     FROM generate_series(1, ${animals}) AS id`,
  );
  for (const prepare of ["SELECT", "ANALYZE pets"]) {
    await runSql(url, prepare);
    for (const mode of ["force_custom_plan", "force_generic_plan"]) {
      await database.administer(`ALTER DATABASE ${name} SET plan_cache_mode = ${mode}`);
      const before = await rowsRead(url);
      // one session, which reports its reads when it ends
      const store = await openPostgresStore(url, { poolSize: 1 });
      let returned = 0;
      for (const filter of filters)
        for (const after of [undefined, animals / 2, animals])
          returned += (await store.listPets({ limit: 101, after, ...filter })).length;
      await store.updatePet(animals, { name: "Mia" }, { ifStatus: "available" });
      await store.close();
      // With a reference, the one animal, alone and with the filters that it fulfils. Without a
      // filter, by a common value and by both there are two full pages, and by the others what
      // there is of rare values.
      expect(returned).toBe(4 * 2 * 101 + 4 + 4 + 4 + 2 + 4);
      await expect.poll(() => rowsRead(url)).not.toBe(before);
      expect((await rowsRead(url)) - before, `${prepare}, ${mode}`).toBeLessThan(returned + 100);
    }
  }
});

/** A call of the function that changes animals. */
function writePet(pet: object): string {
  return `SELECT write_pets('${JSON.stringify([pet])}', FALSE)`;
}

test.for([
  [
    "a change with a key reads",
    writePet({ id: 1, owner_id: "key_a", key: "k", fingerprint: "f", now: 1000 }),
  ],
  ["the removal of expired records reads", "SELECT clear_expired(0, 1000, 1000, 0, 10)"],
])(
  "%s no other record, also if PostgreSQL planned for an empty table",
  async ([, call], { database: { url } }) => {
    await runSql(url, "ALTER TABLE idempotency SET (autovacuum_enabled = off)");
    await runSql(url, "VACUUM idempotency"); // without it, PostgreSQL assumes some rows
    await runSql(
      url,
      `${call} FROM generate_series(1, 10);
     INSERT INTO idempotency
       SELECT 'key_a', id::text, 'f', id, 'Rex', 1, 'sold', 2000
       FROM generate_series(1, ${animals}) AS id;
     ${call};
     CREATE TABLE rows_read AS
       SELECT seq_tup_read::int AS count FROM pg_stat_xact_user_tables
       WHERE relname = 'idempotency'`,
    );
    expect(await runSql(url, "TABLE rows_read")).toEqual([{ count: 0 }]);
  },
);

test("a change reads at most one entry of the history, also if PostgreSQL planned for an empty table", async ({
  database: { url },
}) => {
  const change = writePet({ id: 1, name: "Max", changed_at: 1000, changed_by: "key_a" });
  await runSql(
    url,
    `ALTER TABLE pet_changes SET (autovacuum_enabled = off);
     INSERT INTO pets VALUES (1, 'Rex', 1, 'sold')`,
  );
  await runSql(url, "VACUUM pet_changes"); // without it, PostgreSQL assumes some rows
  const read =
    "SELECT seq_tup_read::int AS all, idx_tup_fetch::int AS by_index FROM pg_stat_xact_user_tables";
  await runSql(
    url,
    `${change} FROM generate_series(1, 10);
     INSERT INTO pet_changes (pet_id, at, author, action, previous)
       SELECT id % 2, 1000, 'key_a', 'updated', '{}' FROM generate_series(1, ${animals}) AS id;
     CREATE TABLE rows_read AS ${read} WHERE relname = 'pet_changes';
     ${change};
     INSERT INTO rows_read ${read} WHERE relname = 'pet_changes'`,
  );
  const [before, after] = (await runSql(url, "TABLE rows_read")) as {
    all: number;
    by_index: number;
  }[];
  expect((after?.all ?? 0) - (before?.all ?? 0)).toBe(0);
  expect((after?.by_index ?? 0) - (before?.by_index ?? 0)).toBeLessThanOrEqual(1);
});
