import { expect, onTestFinished, test } from "vitest";
import { holdClock } from "../support/hold-clock.ts";
import { createOwnedDatabase, endSessions, runSql, sessionIds } from "../support/postgres-database.ts";
import {
  animal,
  expectUnavailable,
  issueUnseenKey,
  startServiceOn,
  untilServed,
} from "../support/service-on-postgres.ts";
import { openPostgresStore } from "../support/stores.ts";

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
    what: "has too many connections",
    happen: ["ALTER DATABASE NAME CONNECTION LIMIT 0", end],
    fix: ["ALTER DATABASE NAME CONNECTION LIMIT -1"],
  },
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

test.for(faults)("503 unavailable while the database $what, and 200 and 201 after that is fixed", async (fault) => {
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
});

test("503 unavailable for POST and 200 for GET while the database is read-only, and 201 after that", async () => {
  const { database, name, url } = await createOwnedDatabase();
  await using server = await startServiceOn(url, poolSize);
  await database.administer(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await endSessions(database);
  await expectUnavailable(server, "/pets", { body: animal });
  await expectUnavailable(server, "/pets", { body: animal, headers: { "Idempotency-Key": "one" } });
  expect((await server.call("/pets")).status).toBe(200);
  // Sessions from before accept no writes: each is closed when it rejects one.
  await database.administer(`ALTER DATABASE ${name} SET default_transaction_read_only = off`);
  await untilServed(server);
  expect((await sessionIds(database.url)).length).toBeLessThanOrEqual(poolSize);
});

test("a read-only database is asked for a write only every 100 ms, because each costs a connection", async () => {
  const { database, name, url } = await createOwnedDatabase();
  await openPostgresStore(url).then((store) => store.close());
  await database.administer(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  const store = await openPostgresStore(url, { poolSize: 1 });
  onTestFinished(() => store.close());
  const moveClock = holdClock();
  const pet = { ...animal, status: "sold" } as const;
  const writes = [() => store.updatePet(1, pet), () => store.createPet(pet), () => store.updatePet(1, { name: "Mia" })];
  /** Sends the writes, and resolves to the session of a read after them. */
  async function sessionAfterWrites(): Promise<number[]> {
    for (const write of writes) await expect(write()).rejects.toThrow("the database is read-only");
    await store.getPet(1);
    await expect.poll(() => sessionIds(url)).toHaveLength(1);
    return await sessionIds(url);
  }
  const session = await sessionAfterWrites();
  expect(await sessionAfterWrites()).toEqual(session);
  moveClock(100);
  expect(await sessionAfterWrites()).not.toEqual(session);
});
