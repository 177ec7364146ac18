import { readFileSync } from "node:fs";
import { expectExit } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { timeLimits } from "../../src/time-limits.ts";
import { expectEveryCommandToWork } from "../support/every-command.ts";
import { test } from "../support/petstore.ts";
import { createRoles, runSql } from "../support/postgres-database.ts";

test("201 and 200 for a role that reads and writes rows only, in tables of another role", async ({
  petstore,
}) => {
  const { owner, server: url } = await createRoles();
  const asServer = petstore.on(url);
  await expectExit(65, asServer.run("keys create --name test"), {
    stderr:
      /^petstore-server: The role may not migrate the database \(.*\): run petstore-server migrate as its owner\n$/,
  });
  await expectExit(0, petstore.on(owner).run("migrate"));
  Object.assign(asServer.environment, { PETSTORE_RATE_LIMIT: "100/60s" });
  await expectEveryCommandToWork(asServer);
  await expectExit(0, asServer.run("import pets -", '{"id":7,"name":"Mia","categoryId":1}\n'));

  for (const sql of [
    "DROP TABLE pets",
    "CREATE TABLE mine ()",
    "TRUNCATE pets",
    "CREATE ROLE another",
  ]) {
    await expect(runSql(url, sql)).rejects.toThrow(/permission denied|must be owner/);
  }
  await asServer.createKey();
  await expectExit(0, asServer.run("doctor"), {
    stdout: /^warning: the tables were not compared .*\n$/,
  });
});

test("the role has the limits of the server, which a pooler drops", () => {
  const file = readFileSync(
    new URL("../../../../deploy/postgres-roles.sql", import.meta.url),
    "utf8",
  );
  const found = [...file.matchAll(/SET (\w+) = '(\d+)ms'/g)].map(([, name, ms]) => [
    name,
    Number(ms),
  ]);
  expect(Object.fromEntries(found)).toEqual({
    statement_timeout: timeLimits.statement,
    lock_timeout: timeLimits.statementLock,
    idle_in_transaction_session_timeout: timeLimits.idleInTransaction,
  });
});
