import { startPostgresServer } from "@petstore/test-postgres/postgres-server";
import { test } from "../support/petstore.ts";
import { createDatabase } from "../support/postgres-database.ts";
import { surviveKills } from "../support/survive-kills.ts";

test("201 and 200 survive if PostgreSQL crashes with the process; a repeat takes effect once", async ({
  petstore,
}) => {
  await using postgres = await startPostgresServer();
  const { url } = await createDatabase(postgres.url);
  await surviveKills(petstore.on(url), async () => {
    await postgres.stop("immediate");
    await postgres.start();
  });
});
