import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expectExit, type Serving } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { test, unprivileged } from "../support/petstore.ts";
import { startServer } from "../support/start-server.ts";
import { openSqliteStore } from "../support/stores.ts";

const settings = { PETSTORE_ADMIN_PORT: "0" };

const body = '{"name":"Bella","categoryId":1}';

/** Adds an animal. Returns the status of the response. */
async function create(server: Serving, key: string): Promise<number> {
  return (await server.call(key, "/pets", body)).status;
}

async function count(server: Serving, key: string): Promise<number> {
  return (await server.call(key, "/pets")).text.match(/"id"/g)?.length ?? 0;
}

test("503 once the log is deleted under a server, which saves its changes when it stops; meanwhile no key is revoked in vain", async ({
  petstore,
}) => {
  const key = await petstore.createKey();
  {
    await using server = await petstore.serve(settings);
    expect(await create(server, key)).toBe(201);
    rmSync(petstore.path("petstore.db-wal"));
    expect(await create(server, key)).toBe(503);
    await expect.poll(() => server.ask("/readyz")).toMatchObject({ status: 503 });
    await server.printed(/"reason":"\S+petstore\.db-wal was deleted while in use: /);
    await expectExit(65, petstore.run("keys revoke key_000000000000"), {
      stderr:
        /A process uses \S+petstore\.db, but \S+-wal is missing: stop that process with SIGTERM/,
    });
    await server.stop();
  }
  await using restarted = await petstore.serve(settings);
  expect(await count(restarted, key)).toBe(1);
  expect(await create(restarted, key)).toBe(201);
});

test("a backup that is copied over a running server stays as it is, and is served once the old log is away", async ({
  petstore,
}) => {
  const key = await petstore.createKey();
  const file = petstore.path("petstore.db");
  await using server = await petstore.serve(settings);
  expect(await create(server, key)).toBe(201);
  await petstore.run("backup copy.db");
  const backup = readFileSync(petstore.path("copy.db"));
  expect(await create(server, key)).toBe(201);

  copyFileSync(petstore.path("copy.db"), file);
  expect(await create(server, key)).toBe(503);
  await expect.poll(() => server.ask("/readyz")).toMatchObject({ status: 503 });
  server.kill("SIGTERM");
  await server.ended;
  expect(server.stdout()).toMatch(
    /"reason":"\S+petstore\.db was overwritten while in use: .+ending with SIGKILL/,
  );
  expect(readFileSync(file)).toEqual(backup);

  rmSync(petstore.path("copy.db"));
  const message = /petstore\.db was copied over another database, whose log \S+-wal still exists: /;
  for (const command of ["keys list", "backup copy.db", "migrate --status"])
    await expectExit(65, petstore.run(command), { stderr: message });
  expect(readFileSync(file)).toEqual(backup);
  renameSync(`${file}-wal`, petstore.path("log"));
  await using restarted = await petstore.serve(settings);
  expect(await count(restarted, key)).toBe(1);
});

test("65 for a log that was deleted after a crash, until its index is removed too", async ({
  petstore,
}) => {
  await petstore.run("migrate");
  {
    await using crashed = await petstore.hold("UPDATE numbering SET last_id = 1");
    crashed.kill("SIGKILL");
  }
  rmSync(petstore.path("petstore.db-wal"));
  await expectExit(65, petstore.run("keys list"), {
    stderr: /petstore\.db-wal was deleted, and with it the latest changes: put it back or restore/,
  });
  rmSync(petstore.path("petstore.db-shm"));
  await petstore.createKey();
});

test("65 for a folder that cannot be written, with and without a database in it", async ({
  petstore,
}) => {
  const expectReadOnly = async (command: string): Promise<void> => {
    chmodSync(petstore.directory, 0o500);
    await expectExit(65, petstore.shell(`exec ${unprivileged} "$@" ${command}`).ended, {
      stderr:
        /^petstore-server: \/\S+ cannot be written, and SQLite keeps its log there: EACCES.*\n$/,
    });
    chmodSync(petstore.directory, 0o700);
  };
  await expectReadOnly("serve");
  await petstore.createKey();
  await expectReadOnly("keys list");
});

/**
 * Whether this machine lets a user mount a file, in a namespace of its own. Only Linux does, and
 * not every distribution.
 */
const canMount = spawnSync("unshare", ["--map-root-user", "--mount", "true"]).status === 0;
if (!canMount)
  process.stderr.write(
    "NOT tested without the right to mount: a database file that is mounted alone.\n",
  );

test.runIf(canMount)(
  "65 for a file that is mounted alone, as into a container",
  async ({ petstore }) => {
    await petstore.createKey();
    const folder = petstore.path("data");
    mkdirSync(folder);
    const file = `${folder}/petstore.db`;
    const mount = (name: string, command: string) =>
      petstore.shell(
        `export PETSTORE_DATABASE_URL=sqlite:data/petstore.db; exec unshare --map-root-user --mount sh -c '
        : > ${file} && mount --bind ${name} ${file} && exec "$@" ${command}' sh "$@"`,
      ).ended;
    await petstore.run("backup copy.db");
    await expectExit(0, mount("copy.db", "restore --verify data/petstore.db"), {
      stdout: /is intact/,
    });
    await expectExit(65, mount("petstore.db", "serve"), {
      stderr: `petstore-server: ${file} is mounted alone: mount its folder, or the log beside it is lost with the container\n`,
    });
  },
);

test("503 for the animals on a damaged page, with the reason in the log; 65 for backup and 1 for doctor", async ({
  petstore,
}) => {
  await petstore.run(
    "import pets -",
    Array.from({ length: 2_000 }, (_, id) => `{"id":${id},"name":"Bella","categoryId":1}\n`).join(
      "",
    ),
  );
  const damaged = /\/\S+petstore\.db is damaged \(.+\): restore a backup$/m;
  const file = petstore.path("petstore.db");
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xa5, bytes.length / 2, bytes.length / 2 + 5 * 4_096));

  {
    await using server = await startServer({ store: openSqliteStore(file) });
    const statuses = new Set<number>();
    for (let id = 1; id <= 2_000; id += 20) statuses.add((await server.call(`/pets/${id}`)).status);
    expect(statuses).toEqual(new Set([200, 503]));
    const reason = expect.stringMatching(damaged) as string;
    expect(server.logs).toContainEqual(
      expect.objectContaining({ msg: "store unavailable", reason }),
    );
  }
  await expectExit(65, petstore.run("backup copy.db"), {
    stderr: damaged,
  });
  expect(readdirSync(petstore.directory).filter((name) => name.startsWith("copy"))).toEqual([]);
  await expectExit(1, petstore.run("doctor"), { stdout: damaged });
});

const many = Array.from(
  { length: 2_000 },
  (_, id) => `{"id":${id},"name":"Bella","categoryId":1}\n`,
).join("");

test("503 once the end of the file is cut off, before anything is read from there", async ({
  petstore,
}) => {
  await petstore.run("import pets -", many);
  const key = await petstore.createKey();
  await using server = await petstore.serve();
  // the log has pages
  expect((await server.call(key, "/pets", '{"name":"Max","categoryId":1}')).status).toBe(201);
  const file = petstore.path("petstore.db");
  truncateSync(file, statSync(file).size - 4_096);
  await expect.poll(async () => (await server.call(key, "/pets/1")).status).toBe(503);
});

test("200 after another program has made the file smaller", async ({ petstore }) => {
  await petstore.run("import pets -", many);
  const key = await petstore.createKey();
  await using server = await petstore.serve();
  const file = petstore.path("petstore.db");
  const before = statSync(file).size;
  {
    using database = new DatabaseSync(file);
    database.exec("DELETE FROM pets WHERE id > 1; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  }
  expect(statSync(file).size).toBeLessThan(before);
  const created = await server.call(key, "/pets", '{"name":"Max","categoryId":1}');
  expect([created.status, (await server.call(key, "/pets/1")).status]).toEqual([201, 200]);
});
