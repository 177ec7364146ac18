import { readFileSync } from "node:fs";
import { expectExit } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { limits } from "../../src/limits.ts";
import { test } from "../support/petstore.ts";
import { createRoles, runSql } from "../support/postgres-database.ts";
import { animal } from "../support/service-on-postgres.ts";
import { startServer } from "../support/start-server.ts";
import { openPostgresStore } from "../support/stores.ts";

test("201 and 200 for a role that reads and writes rows only, in tables of another role", async ({ petstore }) => {
  const { owner, server: url } = await createRoles();
  const asServer = petstore.on(url);
  await expectExit(65, asServer.run("keys create --name test"), {
    stderr:
      /^petstore-server: The role may not migrate the database \(.*\): run petstore-server migrate as its owner\n$/,
  });
  await expectExit(0, petstore.on(owner).run("migrate"));
  await using server = await startServer({
    store: await openPostgresStore(url),
    rateLimit: { requests: 100, windowMs: 60_000 },
  });
  const once = { body: animal, headers: { "Idempotency-Key": "once" } };
  const created = await server.call("/pets", once);
  expect(created).toMatchObject({ status: 201 });
  expect(await server.call("/pets", once)).toMatchObject({ status: 201, text: created.text });
  const keep = { method: "PATCH", body: { name: "Bella" }, headers: { "Idempotency-Key": "keep" } };
  for (const replayed of [null, "true"]) {
    const { text, headers } = await server.call("/pets/1", keep);
    expect([text, headers.get("Idempotent-Replayed")]).toEqual([created.text, replayed]);
  }
  expect(await server.call("/pets")).toMatchObject({ status: 200, text: `[${created.text}]` });
  await expectExit(0, asServer.run("export pets"), { stdout: `${created.text}\n` });
  await expectExit(0, asServer.run("import pets -", '{"id":7,"name":"Mia","categoryId":1}\n'));
  await expectExit(0, asServer.run("import orders -", '{"id":1}\n'));
  expect((await asServer.run("keys list")).stdout).toContain("test");

  for (const sql of ["DROP TABLE pets", "CREATE TABLE mine ()", "TRUNCATE pets", "CREATE ROLE another"]) {
    await expect(runSql(url, sql)).rejects.toThrow(/permission denied|must be owner/);
  }
  await expectExit(0, asServer.run("doctor"), { stdout: "There is nothing to fix.\n" });
});

test("the role has the limits of the server, which a pooler drops", () => {
  const file = readFileSync(new URL("../../../../deploy/postgres-roles.sql", import.meta.url), "utf8");
  const found = [...file.matchAll(/SET (\w+) = '(\d+)ms'/g)].map(([, name, ms]) => [name, Number(ms)]);
  expect(Object.fromEntries(found)).toEqual({
    statement_timeout: limits.statement,
    lock_timeout: limits.statementLock,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
  });
});
