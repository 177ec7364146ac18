import { startPostgresServer } from "@petstore/test-postgres/postgres-server";
import { expect, test } from "vitest";
import {
  createDatabase,
  createOwnedDatabase,
  runSql,
  sessionIds,
} from "../support/postgres-database.ts";
import {
  animal,
  expectUnavailable,
  issueUnseenKey,
  startServiceOn,
  untilServed,
} from "../support/service-on-postgres.ts";

const poolSize = 4;

/** Faults of a database, and how they are fixed. Tables, rows and privileges stay unchanged. */
interface Fault {
  what: string;
  /** Statements of a superuser, in which NAME is the name of the database and of its owner. */
  happen: readonly string[];
  fix: readonly string[];
  /** Whether to run them in the database, instead of another one. */
  within?: true;
}

const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'NAME'";

const faults: Fault[] = [
  {
    what: "has another password",
    happen: ["ALTER ROLE NAME PASSWORD 'second'", end],
    fix: ["ALTER ROLE NAME PASSWORD 'first'"],
  },
  {
    what: "lacks its tables, as while a backup is read",
    happen: ["ALTER SCHEMA public RENAME TO hidden; CREATE SCHEMA public"],
    fix: ["DROP SCHEMA public; ALTER SCHEMA hidden RENAME TO public"],
    within: true,
  },
  {
    what: "takes back the rights to its tables",
    happen: ["REASSIGN OWNED BY NAME TO CURRENT_USER; ALTER SCHEMA public OWNER TO CURRENT_USER"],
    fix: ["GRANT ALL ON ALL TABLES IN SCHEMA public TO NAME; GRANT ALL ON SCHEMA public TO NAME"],
    within: true,
  },
];

test.for(faults)(
  "503 unavailable while the database $what, and 200 and 201 after that is fixed",
  async (fault) => {
    const { database, name, url } = await createOwnedDatabase();
    async function administer(statements: readonly string[]): Promise<void> {
      for (const statement of statements) {
        const sql = statement.replaceAll(/(?<![A-Z])NAME/g, name);
        await (fault.within ? runSql(database.url, sql) : database.administer(sql));
      }
    }
    await using server = await startServiceOn(url, poolSize);
    expect((await server.call("/pets", { body: animal })).status).toBe(201);
    const { secret } = await issueUnseenKey(server);
    await administer(fault.happen);

    await expectUnavailable(server, "/pets", { body: animal });
    await expectUnavailable(server, "/pets/1");
    await expectUnavailable(server, "/pets", { apiKey: secret });
    await administer(fault.fix);
    await untilServed(server);
    expect((await sessionIds(database.url)).length).toBeLessThanOrEqual(poolSize);
  },
);

test("503 for the write that finds out that the server is read-only, and then for reads too, and 200 and 201 after that", async () => {
  await using postgres = await startPostgresServer();
  const { url } = await createDatabase(postgres.url);
  await using server = await startServiceOn(url, 1);
  const setReadOnly = async (value: string) => {
    await runSql(url, `ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await runSql(url, "SELECT pg_reload_conf()");
    const shown = () => runSql(url, "SHOW default_transaction_read_only");
    await expect.poll(shown).toEqual([{ default_transaction_read_only: value }]);
  };
  expect((await server.call("/pets", { body: animal })).status).toBe(201);

  await setReadOnly("on");
  await expectUnavailable(server, "/pets", { body: animal });
  await expect.poll(() => sessionIds(url)).toEqual([]);
  await expectUnavailable(server, "/pets");
  await expectUnavailable(server, "/pets", { body: animal, headers: { "Idempotency-Key": "one" } });
  const reasons = server.logs
    .filter(({ msg }) => msg === "store unavailable")
    .map(({ reason }) => reason);
  expect(new Set(reasons.slice(1))).toEqual(
    new Set(["no connection to the database: the server is read-only"]),
  );

  await setReadOnly("off");
  await untilServed(server);
});
