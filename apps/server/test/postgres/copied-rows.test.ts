import { expectExit } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { test } from "../support/petstore.ts";
import { createMigratedDatabase, runSql } from "../support/postgres-database.ts";

/**
 * Copies the rows of every table, and nothing else, as logical replication and a restore of data
 * only do.
 */
async function copyRows(from: string, to: string): Promise<void> {
  const tables = "SELECT relname AS table FROM pg_stat_user_tables WHERE relname <> 'migrations'";
  for (const { table } of (await runSql(from, tables)) as { table: string }[]) {
    const [{ rows }] = (await runSql(
      from,
      `SELECT coalesce(jsonb_agg(each)::text, '[]') AS rows FROM ${table} AS each`,
    )) as [{ rows: string }];
    await runSql(
      to,
      `SET session_replication_role = replica; DELETE FROM ${table};
       INSERT INTO ${table} OVERRIDING SYSTEM VALUE
       SELECT * FROM jsonb_populate_recordset(NULL::${table}, '${rows.replaceAll("'", "''")}')`,
    );
  }
}

test("0 from every command of an operator in a database that has only the rows of another", async ({
  petstore,
  database,
  onPostgres,
}) => {
  const bella = '{"id":7,"name":"Bella","categoryId":1,"status":"sold"}\n';
  for (const name of ["a", "b", "c"]) await onPostgres.run(`keys create --name ${name}`);
  await expectExit(0, onPostgres.run("import pets -", bella));
  const { stdout: before } = await onPostgres.run("audit");

  await using copy = await createMigratedDatabase();
  const onCopy = petstore.on(copy.url);
  await copyRows(database.url, copy.url);
  const { stdout: listed } = await onCopy.run("keys list --json");
  const [first] = JSON.parse(listed) as [{ id: string }];
  await expectExit(0, onCopy.run(`keys revoke ${first.id}`));
  await expectExit(0, onCopy.run("keys create --name d"));
  await expectExit(0, onCopy.run("import pets -", bella.replace("7", "8")));

  const { stdout: after } = await onCopy.run("audit");
  expect(after.startsWith(before)).toBe(true);
  const added = Array.from(
    after.slice(before.length).matchAll(/"action":"(\w+)"/g),
    ([, action]) => action,
  );
  expect(added).toEqual(["key_revoked", "key_issued", "pets_imported"]);
});
