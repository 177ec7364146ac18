import { readFileSync } from "node:fs";
import { startPostgresServer } from "@petstore/test-kit/postgres-server";
import { expectExit } from "@petstore/test-kit/processes";
import { expect } from "vitest";
import type { Finding } from "../../src/commands/doctor/finding.ts";
import { limits } from "../../src/store/postgres/database.ts";
import { test } from "../support/petstore.ts";
import { createRoles, runSql } from "../support/postgres-database.ts";

const pet = '{"name":"Rex","categoryId":7}';

test("201 and 200 for a role that reads and writes rows only, in tables of another role", async ({ petstore }) => {
  await using postgres = await startPostgresServer();
  const { owner, server: url } = await createRoles(postgres.url);
  const asServer = petstore.on(url);
  await expectExit(65, asServer.run("serve"), {
    stderr:
      /^petstore-server: The role may not migrate the database \(.*\): run petstore-server migrate as its owner\n$/,
  });
  await expectExit(0, petstore.on(owner).run("migrate"));
  const key = await asServer.createKey();
  await using server = await asServer.serve({ PETSTORE_RATE_LIMIT: "100/60s" });
  const headers = { "Idempotency-Key": "once" };
  const created = await server.call(key, "/pets", pet, headers);
  expect(created).toMatchObject({ status: 201 });
  expect(await server.call(key, "/pets", pet, headers)).toMatchObject({ status: 201, text: created.text });
  expect(await server.call(key, "/pets")).toMatchObject({ status: 200, text: `[${created.text}]` });
  await expectExit(0, asServer.run("export pets"), { stdout: `${created.text}\n` });
  await expectExit(0, asServer.run("import pets -", '{"id":7,"name":"Mia","categoryId":1}\n'));
  await expectExit(0, asServer.run("import orders -", '{"id":1}\n'));
  expect((await asServer.run("keys list")).stdout).toContain("test");

  for (const sql of ["DROP TABLE pets", "CREATE TABLE mine ()", "TRUNCATE pets", "CREATE ROLE another"]) {
    await expect(runSql(url, sql)).rejects.toThrow(/permission denied|must be owner/);
  }
  const { stdout } = await asServer.run("doctor --json");
  const findings = JSON.parse(stdout) as Finding[];
  expect(findings.filter(({ level }) => level !== "ok")).toEqual([]);
});

test("the role has the limits of the server, which a pooler drops", () => {
  const file = readFileSync(new URL("../../../../deploy/postgres-roles.sql", import.meta.url), "utf8");
  const found = [...file.matchAll(/SET (\w+) = '(\d+)ms'/g)].map(([, name, ms]) => [name, Number(ms)]);
  expect(Object.fromEntries(found)).toEqual({
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
  });
});
