import { expect, test } from "vitest";
import { createDatabase, runSql } from "./postgres-database.ts";
import { expectUnavailable, startServiceOn } from "./service-on-postgres.ts";

/** Makes each reading of a table take a while, however few rows it has. */
const slowed = (table: string, seconds: number): string => `
  ALTER TABLE ${table} RENAME TO fast_${table};
  CREATE VIEW ${table} AS SELECT * FROM fast_${table}, (SELECT 1 AS pause FROM pg_sleep(${seconds}) OFFSET 0) AS pause;
`;

test("503 within three seconds from a database that is slow at each of the things that a request asks", async () => {
  await using database = await createDatabase();
  await using server = await startServiceOn(database.url);
  await server.store.importPets([{ name: "Bella", categoryId: 7, status: "available" }]);
  await runSql(database.url, slowed("api_keys", 2) + slowed("pets", 2));
  const { ms } = await expectUnavailable(server, "/pets");
  expect(ms).toBeGreaterThan(2_000); // it was not the first thing alone
});
