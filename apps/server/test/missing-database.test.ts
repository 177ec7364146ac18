import { chmodSync, copyFileSync, readdirSync, renameSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import {
  createKey,
  petstoreServer,
  run,
  serve,
  serving,
  settings,
  start,
  temporaryDirectory,
  type Serving,
} from "@petstore/test-kit/processes";
import { expect, test, vi } from "vitest";
import { openSqliteStore } from "../src/store/sqlite/store.ts";
import { createDatabase, runSql } from "./postgres-database.ts";

vi.setConfig({ testTimeout: 120_000 });

const admin = { ...settings, PETSTORE_ADMIN_PORT: "0" };

/** The status of the probe. */
async function readiness(server: Serving): Promise<number> {
  const [, url] = /"url":"([^"]+)","msg":"admin port open"/.exec(server.stdout()) ?? [];
  return (await fetch(new URL("/readyz", url))).status;
}

const commands = [
  ["export", "pets"],
  ["keys", "list"],
  ["keys", "revoke", "key_000000000000"],
  ["keys", "rotate", "key_000000000000"],
  ["remove", "pets", "1"],
  ["backup", "copy.db"],
];

test("65 for each command that needs a database, where there is none: the line says what to do, and none is made", async () => {
  using directory = temporaryDirectory();
  await using database = await createDatabase();
  for (const command of commands) {
    const { exitCode, stdout, stderr } = await run(directory.path, command);
    expect({ exitCode, stdout }).toEqual({ exitCode: 65, stdout: "" });
    expect(stderr).toMatch(/^petstore-server: \/\S+\/petstore\.db does not exist: .*\n$/);
    if (command[0] === "backup") continue;
    const environment = { ...settings, PETSTORE_DATABASE_URL: database.url };
    expect(await run(directory.path, command, { environment })).toMatchObject({
      exitCode: 65,
      stdout: "",
      stderr: "petstore-server: The database is empty: run petstore-server migrate, if it is the right one\n",
    });
  }
  expect(readdirSync(directory.path)).toEqual([]);
  expect(await runSql(database.url, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
});

test("200 from a server that creates its database, which the log says once; a second start is quiet", async () => {
  using directory = temporaryDirectory();
  const first = await (await serve(directory.path, { environment: { ...settings, PETSTORE_WORKERS: "1" } })).stop();
  expect(first.stdout.match(/"created":"\/\S+\/petstore\.db","msg":"the database was missing or empty/g)).toHaveLength(
    1,
  );
  const second = await (await serve(directory.path)).stop();
  expect(second.stdout).not.toContain("missing or empty");
});

test.each<[string, (file: string) => void]>([
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
])("503 for creations and no readiness once the served file is %s, and the log says why", async (_, harm) => {
  using directory = temporaryDirectory();
  const key = await createKey(directory.path);
  await using server = await serve(directory.path, { environment: admin });
  const animal = '{"name":"Bella","categoryId":1}';
  expect((await server.call(key, "/pets", animal)).status).toBe(201);
  expect(await readiness(server)).toBe(200);

  harm(join(directory.path, "petstore.db"));
  expect((await server.call(key, "/pets", animal)).status).toBe(503);
  expect((await server.call(key, "/pets", animal, { "Idempotency-Key": "a" })).status).toBe(503);
  expect(JSON.parse((await server.call(key, "/pets")).text)).toHaveLength(1);
  await expect.poll(() => readiness(server), { timeout: 10_000 }).toBe(503);
  expect(server.stdout()).toMatch(
    /"reason":"\/\S+petstore\.db\S* was deleted, moved, replaced or cut short while it is in use: /,
  );
});

test("201 again once a file that was moved away is back", async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "petstore.db");
  const key = await createKey(directory.path);
  await using server = await serve(directory.path);
  const animal = '{"name":"Bella","categoryId":1}';
  renameSync(file, `${file}.old`);
  expect((await server.call(key, "/pets", animal)).status).toBe(503);
  renameSync(`${file}.old`, file);
  expect((await server.call(key, "/pets", animal)).text).toContain('"id":1,');
});

test("65 from a server whose file it may only read, and no readiness once that happens to a served one", async () => {
  using directory = temporaryDirectory();
  const key = await createKey(directory.path);
  // Root may write anything, unless it gives that right up.
  const unprivileged =
    process.getuid?.() === 0 ? (["setpriv", "--bounding-set=-all", "--inh-caps=-all"] as const) : (["env"] as const);
  const [program, ...options] = [...unprivileged, process.execPath, petstoreServer, "serve"];
  const begin = () =>
    start(program, options, { directory: directory.path, environment: { ...admin, PATH: process.env["PATH"] ?? "" } });
  {
    await using server = await serving(begin());
    expect((await server.call(key, "/pets")).status).toBe(200);
    expect(await readiness(server)).toBe(200);
    chmodSync(join(directory.path, "petstore.db"), 0o400);
    await expect.poll(() => readiness(server), { timeout: 10_000 }).toBe(503);
  }
  const refused = await begin().ended;
  expect(refused.exitCode).toBe(65);
  expect(refused.stderr).toMatch(/^petstore-server: \/\S+petstore\.db cannot be written: EACCES.*\n$/);
});

test("503 from a server whose database was cut short, and 201 no more", async () => {
  using directory = temporaryDirectory();
  const key = await createKey(directory.path);
  await using server = await serve(directory.path);
  expect((await server.call(key, "/pets", '{"name":"Bella","categoryId":1}')).status).toBe(201);
  truncateSync(join(directory.path, "petstore.db"), 8_192);
  expect((await server.call(key, "/pets", '{"name":"Milo","categoryId":1}')).status).toBe(503);
});

test("an import into a file that was moved away is refused, and leaves none in its place", async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "petstore.db");
  const store = openSqliteStore(file);
  renameSync(file, join(directory.path, "moved.db"));
  const pets = [{ name: "Bella", categoryId: 1, status: "available" }] as const;
  await expect(store.importPets(pets)).rejects.toMatchObject({ name: "StoreUnavailableError" });
  await store.close();
  expect(readdirSync(directory.path)).not.toContain("petstore.db");
});
