import { expect, test } from "vitest";
import { createOwnedDatabase, runSql, type OwnedDatabase } from "./postgres-database.ts";
import {
  animal,
  expectUnavailable,
  issueUnseenKey,
  sessionIds,
  startServiceOn,
  untilServed,
} from "./service-on-postgres.ts";

const poolSize = 4;

type Change = (owned: OwnedDatabase) => Promise<unknown>;

/** What may happen to a database, and how it is mended. Tables, rows and rights stay what they were. */
const faults: Record<string, { happen: Change; mend: Change }> = {
  "has too many connections": {
    async happen({ database, name, endSessions }) {
      await database.administer(`ALTER DATABASE ${name} CONNECTION LIMIT 0`);
      await endSessions();
    },
    mend: ({ database, name }) => database.administer(`ALTER DATABASE ${name} CONNECTION LIMIT -1`),
  },
  "has another password": {
    async happen({ database, name, endSessions }) {
      await database.administer(`ALTER ROLE ${name} PASSWORD 'second'`);
      await endSessions();
    },
    mend: ({ database, name }) => database.administer(`ALTER ROLE ${name} PASSWORD 'first'`),
  },
  "is dropped and restored from a copy": {
    async happen({ database, name, endSessions }) {
      await endSessions();
      // The service may be quicker to come back than the copy is to begin.
      await database.administer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await endSessions();
      await database.administer(`CREATE DATABASE ${name}_copy TEMPLATE ${name}`);
      await database.administer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
    async mend({ database, name }) {
      await database.administer(`CREATE DATABASE ${name} TEMPLATE ${name}_copy OWNER ${name}`);
      await database.administer(`DROP DATABASE ${name}_copy`);
    },
  },
  "lacks its tables, as while a backup is read": {
    happen: ({ database: { url } }) => runSql(url, "ALTER SCHEMA public RENAME TO hidden; CREATE SCHEMA public"),
    mend: ({ database: { url } }) => runSql(url, "DROP SCHEMA public; ALTER SCHEMA hidden RENAME TO public"),
  },
  "takes back the rights to its tables": {
    happen: ({ database: { url }, name }) =>
      runSql(url, `REASSIGN OWNED BY ${name} TO CURRENT_USER; ALTER SCHEMA public OWNER TO CURRENT_USER`),
    mend: ({ database: { url }, name }) =>
      runSql(url, `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${name}; GRANT ALL ON SCHEMA public TO ${name}`),
  },
};

for (const [what, { happen, mend }] of Object.entries(faults)) {
  test(`503 unavailable while the database ${what}, and 200 and 201 once it is as before`, async () => {
    const owned = await createOwnedDatabase();
    await using server = await startServiceOn(owned.url, poolSize);
    expect((await server.call("/pets", { body: animal })).status).toBe(201);
    const unseen = await issueUnseenKey(server);
    await happen(owned);

    await expectUnavailable(server, "/pets", { body: animal });
    await expectUnavailable(server, "/pets/1");
    await expectUnavailable(server, "/pets", { apiKey: unseen });
    await mend(owned);
    await untilServed(server);
    expect((await sessionIds(owned.database.url)).length).toBeLessThanOrEqual(poolSize);
  });
}

test("503 unavailable for POST and 200 for GET while the database takes no writes, and 201 once it does", async () => {
  const { database, name, url, endSessions } = await createOwnedDatabase();
  await using server = await startServiceOn(url, poolSize);
  await database.administer(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await endSessions();
  await expectUnavailable(server, "/pets", { body: animal });
  await expectUnavailable(server, "/pets", { body: animal, headers: { "Idempotency-Key": "one" } });
  expect((await server.call("/pets")).status).toBe(200);
  // Sessions that began before take no writes: each is given up when it refuses one.
  await database.administer(`ALTER DATABASE ${name} SET default_transaction_read_only = off`);
  await untilServed(server);
  expect((await sessionIds(database.url)).length).toBeLessThanOrEqual(poolSize);
});
