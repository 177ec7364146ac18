import { expect } from "vitest";
import { test } from "../support/petstore.ts";
import { runSql } from "../support/postgres-database.ts";
import { expectUnavailable } from "../support/service-on-postgres.ts";
import { startServer } from "../support/start-server.ts";
import { openPostgresStore } from "../support/stores.ts";

/** Slows down each count of a request, and each read of animals: neither exceeds the time limit of a statement, but both together do. */
const slowed = `
  CREATE FUNCTION wait() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(2); RETURN NEW; END $$;
  CREATE TRIGGER wait BEFORE INSERT ON rate_limits FOR EACH ROW EXECUTE FUNCTION wait();
  ALTER TABLE pets RENAME TO fast_pets;
  CREATE VIEW pets AS SELECT * FROM fast_pets, (SELECT 1 AS pause FROM pg_sleep(2) OFFSET 0) AS pause;
`;

test("503 from a database that is slow at every statement of a request", async ({ database: { url } }) => {
  const store = await openPostgresStore(url);
  await using server = await startServer({
    store,
    rateLimit: { requests: 100, windowMs: 60_000 },
    limits: { store: 2_900 },
  });
  await store.importPets([{ name: "Bella", categoryId: 7, status: "available" }]);
  await runSql(url, slowed);
  await expectUnavailable(server, "/pets");
  expect(server.calls).toContain("listPets"); // not only the first statement was slow
});
