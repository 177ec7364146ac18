import { chmodSync, copyFileSync, readdirSync, renameSync, rmSync, truncateSync } from "node:fs";
import { expectExit, serving, type Serving } from "@petstore/test-kit/processes";
import { expect } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { test } from "../support/petstore.ts";
import { runSql } from "../support/postgres-database.ts";

const admin = { PETSTORE_ADMIN_PORT: "0" };
const animal = '{"name":"Bella","categoryId":1}';

async function readiness(server: Serving): Promise<number> {
  return (await server.ask("/readyz")).status;
}

async function create(server: Serving, key: string, headers: Record<string, string> = {}): Promise<number> {
  return (await server.call(key, "/pets", animal, headers)).status;
}

test.for([
  "export pets",
  "keys list",
  "keys revoke key_000000000000",
  "keys rotate key_000000000000",
  "remove pets 1",
  "backup copy.db",
])("65 for %s without a database, and none is created", async (command, { petstore, database, onPostgres }) => {
  await expectExit(65, petstore.run(command), {
    stderr: /^petstore-server: \/\S+\/petstore\.db does not exist: .*\n$/,
  });
  expect(readdirSync(petstore.directory)).toEqual([]);
  if (command.startsWith("backup")) return; // only for SQLite
  await expectExit(65, onPostgres.run(command), {
    stderr: "petstore-server: The database is empty: run petstore-server migrate, if it is the right one\n",
  });
  expect(await runSql(database.url, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
});

test("200 from a server that creates its database, which is logged once, at the first start", async ({ petstore }) => {
  const first = await (await petstore.serve()).stop();
  const creations = first.stdout.match(/"created":"\/\S+\/petstore\.db","msg":"the database was missing or empty/g);
  expect(creations).toHaveLength(1);
  const second = await (await petstore.serve()).stop();
  expect(second.stdout).not.toContain("missing or empty");
});

test.for<[what: string, harm: (file: string) => void]>([
  ["deleted", (file) => rmSync(file)],
  ["moved away", (file) => renameSync(file, `${file}.old`)],
  [
    "replaced",
    (file) => {
      copyFileSync(file, `${file}.new`);
      renameSync(`${file}.new`, file);
    },
  ],
  ["without its log", (file) => rmSync(`${file}-wal`)],
  ["without its index", (file) => rmSync(`${file}-shm`)],
])("503 and no readiness once the served file is %s", async ([what, harm], { petstore }) => {
  const key = await petstore.createKey();
  await using server = await petstore.serve(admin);
  expect(await create(server, key)).toBe(201);
  expect(await readiness(server)).toBe(200);

  const file = petstore.path("petstore.db");
  harm(file);
  expect(await create(server, key)).toBe(503);
  expect(await create(server, key, { "Idempotency-Key": "a" })).toBe(503);
  expect(JSON.parse((await server.call(key, "/pets")).text)).toHaveLength(1);
  await expect.poll(() => readiness(server)).toBe(503);
  expect(server.stdout()).toMatch(
    /"reason":"\/\S+petstore\.db\S* was deleted, moved, replaced or truncated while in use: /,
  );
  if (what !== "moved away") return;
  renameSync(`${file}.old`, file);
  expect((await server.call(key, "/pets", animal)).text).toContain('"id":2,');
});

test("65 for a file that may only be read", async ({ petstore }) => {
  const key = await petstore.createKey();
  // Root may write anything, unless it gives up that privilege.
  const unprivileged = process.getuid?.() === 0 ? "setpriv --bounding-set=-all --inh-caps=-all" : "";
  const begin = () => petstore.shell(`export PETSTORE_ADMIN_PORT=0; exec ${unprivileged} "$@" serve`);
  {
    await using server = await serving(begin());
    expect((await server.call(key, "/pets")).status).toBe(200);
    expect(await readiness(server)).toBe(200);
    chmodSync(petstore.path("petstore.db"), 0o400);
    await expect.poll(() => readiness(server)).toBe(503);
  }
  await expectExit(65, begin().ended, {
    stdout: /^/,
    stderr: /^petstore-server: \/\S+petstore\.db cannot be written: EACCES.*\n$/,
  });
});

test("503 from a server whose database was truncated, and never 201 again", async ({ petstore }) => {
  const key = await petstore.createKey();
  await using server = await petstore.serve();
  expect(await create(server, key)).toBe(201);
  truncateSync(petstore.path("petstore.db"), 8_192);
  expect(await create(server, key)).toBe(503);
});

test("an import into a file that was moved away is rejected, and creates no new file", async ({ petstore }) => {
  const store = openSqliteStore(petstore.path("petstore.db"));
  renameSync(petstore.path("petstore.db"), petstore.path("moved.db"));
  const pets = [{ name: "Bella", categoryId: 1, status: "available" }] as const;
  await expect(store.importPets(pets)).rejects.toMatchObject({ name: "StoreUnavailableError" });
  await store.close();
  expect(readdirSync(petstore.directory)).not.toContain("petstore.db");
});
