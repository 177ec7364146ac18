import { readFileSync } from "node:fs";
import { startPostgresServer } from "@petstore/test-kit/postgres-server";
import { run, settings, temporaryDirectory } from "@petstore/test-kit/processes";
import { expect, test, vi } from "vitest";
import type { Finding } from "../src/commands/doctor/finding.ts";
import { limits } from "../src/store/postgres/database.ts";
import { runSql } from "./postgres-database.ts";
import { createRoles } from "./postgres-roles.ts";
import { serveAdministered } from "./serve-postgres.ts";

vi.setConfig({ testTimeout: 60_000 });

const pet = '{"name":"Rex","categoryId":7}';

test("201 and 200 for a role that reads and writes rows only, in tables that another role made", async () => {
  await using postgres = await startPostgresServer();
  const { owner, server: url } = await createRoles(postgres);
  using directory = temporaryDirectory();
  const asServer = { ...settings, PETSTORE_DATABASE_URL: url, PETSTORE_RATE_LIMIT: "100/60s" };
  const petstore = (args: string[], environment: Record<string, string> = asServer) =>
    run(directory.path, args, { environment });

  expect(await petstore(["serve"])).toMatchObject({
    exitCode: 65,
    stderr: expect.stringMatching(
      /^petstore-server: The role may not migrate the database \(.*\): run petstore-server migrate as its owner\n$/,
    ) as string,
  });
  expect((await petstore(["migrate"], { ...asServer, PETSTORE_DATABASE_URL: owner })).exitCode).toBe(0);
  const { stdout: key } = await petstore(["keys", "create", "--name", "shop"]);
  await using server = await serveAdministered(directory.path, asServer);
  const headers = { "Idempotency-Key": "once" };
  const created = await server.call(key.trim(), "/pets", pet, headers);
  expect(created).toMatchObject({ status: 201 });
  expect(await server.call(key.trim(), "/pets", pet, headers)).toMatchObject({ status: 201, text: created.text });
  expect(await server.call(key.trim(), "/pets")).toMatchObject({ status: 200, text: `[${created.text}]` });
  const exported = await petstore(["export", "pets"]);
  expect(exported).toMatchObject({ exitCode: 0, stdout: `${created.text}\n` });
  const imports = { pets: '{"id":7,"name":"Mia","categoryId":1}\n', orders: '{"id":1}\n' };
  for (const [what, input] of Object.entries(imports)) {
    expect(await run(directory.path, ["import", what, "-"], { environment: asServer, input })).toMatchObject({
      exitCode: 0,
    });
  }
  expect((await petstore(["keys", "list"])).stdout).toContain("shop");

  for (const sql of ["DROP TABLE pets", "CREATE TABLE mine ()", "TRUNCATE pets", "CREATE ROLE another"]) {
    await expect(runSql(url, sql)).rejects.toThrow(/permission denied|must be owner/);
  }
  const { stdout } = await petstore(["doctor", "--json"]);
  const findings = JSON.parse(stdout) as Finding[];
  expect(findings.filter(({ level }) => level !== "ok")).toEqual([]);
});

test("the role has the limits of the server, which a pooler drops", () => {
  const file = readFileSync(new URL("../../../deploy/postgres-roles.sql", import.meta.url), "utf8");
  const found = [...file.matchAll(/SET (\w+) = '(\d+)ms'/g)].map(([, name, ms]) => [name, Number(ms)]);
  expect(Object.fromEntries(found)).toEqual({
    statement_timeout: limits.statement,
    lock_timeout: limits.lock,
    idle_in_transaction_session_timeout: limits.idleInTransaction,
  });
});
