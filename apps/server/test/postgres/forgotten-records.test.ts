import { changesOf } from "@petstore/service/conformance";
import { expect, onTestFinished } from "vitest";
import { holdClock } from "../support/hold-clock.ts";
import { test } from "../support/petstore.ts";
import { runSql } from "../support/postgres-database.ts";
import { pet, request } from "../support/postgres-writes.ts";
import { openPostgresStore } from "../support/stores.ts";

test("records of expired keys are all removed in the end, however slow each removal is", async ({
  database: { url },
}) => {
  await runSql(
    url,
    `INSERT INTO idempotency SELECT 'key_a', number::text, 'f', 1, 'Bella', 7, 'sold', 900 + number
     FROM generate_series(1, 20) AS number;
    CREATE FUNCTION cancel() RETURNS TRIGGER LANGUAGE plpgsql AS $$
    BEGIN
      IF (SELECT count(*) FROM removed) > 3 THEN RAISE query_canceled USING MESSAGE = 'the statement took too long'; END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER cancel AFTER DELETE ON idempotency REFERENCING OLD TABLE AS removed
      FOR EACH STATEMENT EXECUTE FUNCTION cancel()`,
  );
  const failures: unknown[] = [];
  const store = await openPostgresStore(url, {
    onBackgroundFailure: (task, error) => failures.push([task, (error as Error).message]),
  });
  onTestFinished(() => store.close());
  const moveClock = holdClock();
  let count = 0;
  async function countExpired(): Promise<number> {
    moveClock(1_000);
    // too slow: the next one is a turn too
    await store.createPet(pet, { ...request, key: `new ${count++}` }).catch(() => {});
    return (await runSql(url, "SELECT key FROM idempotency WHERE expires_at < 1000")).length;
  }
  await expect.poll(countExpired).toBe(0);
  expect(failures).toContainEqual(["clear_expired", "the statement took too long"]);
});

test("old changes of animals are forgotten after writes with and without a key, and all others are kept", async ({
  database: { url },
}) => {
  const store = await openPostgresStore(url, { historyMs: 1_000 });
  onTestFinished(() => store.close());
  const moveClock = holdClock();
  await store.createPet(pet);
  const change = (at: number) =>
    store.updatePet(1, { name: `at ${at}` }, { author: { at, by: "key_a" } });
  const times = async () => (await changesOf(store, 1)).map(({ at }) => at);
  for (const at of [1, 2, 1_001]) await change(at);
  moveClock(1_000);
  await store.createPet(pet, { ...request, now: 1_002, expiresAt: 2_000 });
  await expect.poll(times).toEqual([1_001]);
  moveClock(1_000);
  await change(3_000);
  await expect.poll(times).toEqual([3_000]);
});
