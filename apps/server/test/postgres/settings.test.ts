import { startPostgresServer } from "@petstore/test-postgres/postgres-server";
import { expect, test } from "vitest";
import { createDatabase, createOwnedDatabase, runSql } from "../support/postgres-database.ts";
import { animal, countStatuses, startServiceOn } from "../support/service-on-postgres.ts";
import { openPostgresStore } from "../support/stores.ts";

test.for(["repeatable read", "serializable"])(
  "201 for all of many creations in two processes, where transactions are %s by default",
  async (level) => {
    const { database, name, url } = await createOwnedDatabase();
    await database.administer(`ALTER DATABASE ${name} SET default_transaction_isolation = '${level}'`);
    await database.administer(`ALTER ROLE ${name} SET default_transaction_isolation = '${level}'`);
    await using first = await startServiceOn(url);
    await using second = await startServiceOn(url);
    const create = (count: number) => {
      const headers = count % 2 === 0 ? {} : { "Idempotency-Key": `${count}` };
      return (count % 3 === 0 ? first : second).call("/pets", { body: animal, headers });
    };
    for (let round = 0; round < 5; round++) {
      const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => create(round * 20 + index)));
      expect(countStatuses(responses)).toEqual({ 201: 20 });
    }
    expect(await first.store.importPets([{ ...animal, status: "sold" }])).toMatchObject({ stored: 1 });
    expect(await second.store.removePets([101])).toEqual([]);
  },
);

test("503 if an operator cancels the wait for a synchronous standby, and 201 for the repeat once one has the animal", async () => {
  await using postgres = await startPostgresServer();
  const { url } = await createDatabase(postgres.url);
  await openPostgresStore(url).then((store) => store.close());
  await using server = await startServiceOn(url);
  const setStandby = async (standby: string) => {
    await runSql(url, `ALTER SYSTEM SET synchronous_standby_names = '${standby}'`);
    await runSql(url, "SELECT pg_reload_conf()");
    await expect
      .poll(() => runSql(url, "SHOW synchronous_standby_names"))
      .toEqual([{ synchronous_standby_names: standby }]);
  };
  const create = () => server.call("/pets", { body: animal, headers: { "Idempotency-Key": "one" } });

  await setStandby("missing");
  const creation = create();
  const cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  await expect.poll(() => runSql(url, cancel)).toHaveLength(1);
  expect(await creation).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(server.logs).toContainEqual(
    expect.objectContaining({ msg: "store unavailable", reason: expect.stringContaining("standby has not confirmed") }),
  );
  await setStandby("");
  const repeated = await create();
  expect([repeated.status, repeated.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
  expect(await runSql(url, "SELECT id FROM pets")).toHaveLength(1);
});
