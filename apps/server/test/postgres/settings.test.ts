import { startPostgresServer } from "@petstore/test-postgres/postgres-server";
import { expectExit } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { expectEveryCommandToWork } from "../support/every-command.ts";
import { test } from "../support/petstore.ts";
import {
  createDatabase,
  createOwnedDatabase,
  holdTransaction,
  runSql,
  type OwnedDatabase,
} from "../support/postgres-database.ts";
import { animal, countStatuses, startServiceOn } from "../support/service-on-postgres.ts";
import { openPostgresStore } from "../support/stores.ts";

/** Sets a setting on a database and on its owner. */
async function configure({ database, name }: OwnedDatabase, setting: string): Promise<void> {
  for (const place of ["DATABASE", "ROLE"])
    await database.administer(`ALTER ${place} ${name} SET ${setting}`);
}

/**
 * Settings that change how PostgreSQL reads statements or prints values. They do not hide each
 * other's effects.
 */
const misleading = [
  "DateStyle = German",
  "IntervalStyle = sql_standard",
  "TimeZone = 'Asia/Kolkata'",
  "bytea_output = escape",
  "client_encoding = LATIN1",
  "extra_float_digits = -15",
  "quote_all_identifiers = on",
  "search_path = other, public",
  "standard_conforming_strings = off",
];

test("0, 200 and 201 from every command and a server with misleading settings, and messages in German, where the server has them", async ({
  petstore,
}) => {
  const owned = await createOwnedDatabase();
  await runSql(owned.url, "CREATE SCHEMA other");
  for (const setting of misleading) await configure(owned, setting);
  const configured = (language: string) => configure(owned, `lc_messages = '${language}'`);
  await configured("C.UTF-8").catch(() => configured("C"));
  await expectEveryCommandToWork(petstore.on(owned.url));
});

test.for(["nowhere", "pg_catalog"])(
  "65 and one line that says what to change with search_path = %s, in which nothing can be created",
  async (path, { petstore }) => {
    const owned = await createOwnedDatabase();
    await configure(owned, `search_path = ${path}`);
    const misled = petstore.on(owned.url);
    const advice =
      "The search_path names no schema for the tables: " +
      "set it to one that exists and that the role may use";
    for (const command of ["migrate", "migrate --status", "keys create --name test"]) {
      await expectExit(65, misled.run(command), { stderr: `petstore-server: ${advice}\n` });
    }
    const { stdout } = await misled.run("doctor");
    expect(stdout).toBe(`problem: ${advice}\n`);
  },
);

test("0 from a migration that waits for another one for longer than the role's statements may take", async ({
  petstore,
}) => {
  const owned = await createOwnedDatabase();
  for (const limit of ["statement_timeout", "lock_timeout"])
    await configure(owned, `${limit} = 50`);
  const other = await holdTransaction(
    owned.database.url,
    "SELECT pg_advisory_xact_lock(7356512846219553)",
  );
  const migrated = petstore.on(owned.url).run("migrate");
  const waiting = `SELECT FROM pg_stat_activity
    WHERE datname = '${owned.name}' AND wait_event = 'advisory'
      AND now() - query_start > '200 ms'`;
  await expect.poll(() => owned.database.administer(waiting)).toHaveLength(1);
  await other.rollBack();
  await expectExit(0, migrated, { stderr: "" });
});

test("201 for all of many creations in two processes, where transactions are serializable by default", async () => {
  const owned = await createOwnedDatabase();
  await configure(owned, "default_transaction_isolation = serializable");
  await using first = await startServiceOn(owned.url);
  await using second = await startServiceOn(owned.url);
  const create = (count: number) => {
    const headers = count % 2 === 0 ? {} : { "Idempotency-Key": `${count}` };
    return (count % 3 === 0 ? first : second).call("/pets", { body: animal, headers });
  };
  for (let round = 0; round < 5; round++) {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create(round * 20 + index)),
    );
    expect(countStatuses(responses)).toEqual({ 201: 20 });
  }
  expect(await first.store.importPets([{ ...animal, status: "sold" }])).toMatchObject({
    stored: 1,
  });
  expect(await second.store.deletePet(101)).toMatchObject({ outcome: "removed" });
});

test("503 if an operator cancels the wait for a synchronous standby, and 201 for the repeat once one has the animal", async () => {
  await using postgres = await startPostgresServer();
  const { name, url } = await createDatabase(postgres.url);
  await openPostgresStore(url).then((store) => store.close());
  // Without the warning, nothing tells that the wait was cancelled.
  for (const place of ["ROLE postgres", `DATABASE ${name}`])
    await runSql(url, `ALTER ${place} SET client_min_messages = error`);
  await using server = await startServiceOn(url);
  const setStandby = async (standby: string) => {
    await runSql(url, `ALTER SYSTEM SET synchronous_standby_names = '${standby}'`);
    await runSql(url, "SELECT pg_reload_conf()");
    await expect
      .poll(() => runSql(url, "SHOW synchronous_standby_names"))
      .toEqual([{ synchronous_standby_names: standby }]);
  };
  const create = () =>
    server.call("/pets", { body: animal, headers: { "Idempotency-Key": "one" } });

  await setStandby("missing");
  const creation = create();
  const cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  await expect.poll(() => runSql(url, cancel)).toHaveLength(1);
  expect(await creation).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(server.logs).toContainEqual(
    expect.objectContaining({
      msg: "store unavailable",
      reason: expect.stringContaining("standby has not confirmed"),
    }),
  );
  await setStandby("");
  const repeated = await create();
  expect([repeated.status, repeated.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
  expect(await runSql(url, "SELECT id FROM pets")).toHaveLength(1);
});
