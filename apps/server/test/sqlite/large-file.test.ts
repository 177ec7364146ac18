import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "@petstore/test-kit/eventually";
import { expectExit, type Serving } from "@petstore/test-kit/processes";
import { describe, expect, onTestFinished } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";
import { test as base, type Petstore } from "../support/petstore.ts";

const admin = { PETSTORE_ADMIN_PORT: "0" };

const damaged = /^petstore-server: \/\S+petstore\.db is damaged \(.+\): restore a backup\n$/;

/** With a file so large that the start does not wait for the check. */
const test = base.extend("petstore", async ({ petstore }) => {
  const store = openSqliteStore(petstore.path("petstore.db"));
  const animal = { name: "🦜".repeat(255), categoryId: 1, status: "sold" } as const;
  await store.importPets(Array.from({ length: 6_000 }, () => animal));
  await store.close();
  return petstore;
});

/** Overwrites a page in the middle of the file. */
function damage({ path }: Petstore): void {
  const bytes = readFileSync(path("petstore.db"));
  expect(bytes.length).toBeGreaterThan(5 * 1024 * 1024);
  writeFileSync(path("petstore.db"), bytes.fill(0xa5, bytes.length >> 1, (bytes.length >> 1) + 4096));
}

test("200 from a large file, and 0 at SIGTERM", async ({ petstore }) => {
  const key = await petstore.createKey();
  await using server = await petstore.serve();
  expect((await server.call(key, "/pets/6000")).status).toBe(200);
  await expectExit(0, server.stop());
});

test("65 and a line in the log once damage is found in a large file that is served", async ({ petstore }) => {
  damage(petstore);
  const server = petstore.start("serve", admin);
  const { stdout } = await expectExit(65, server.ended, { stdout: /"msg":"listening"/, stderr: damaged });
  const last = stdout
    .trimEnd()
    .split("\n")
    .slice(-1)
    .map((line) => JSON.parse(line) as object);
  expect(last).toEqual([
    expect.objectContaining({ level: 60, msg: "stopping", reason: expect.stringContaining("is damaged (") as string }),
  ]);
});

test("503 for readiness from then on", async ({ petstore }) => {
  damage(petstore);
  await using server = await petstore.serve({ ...admin, PETSTORE_DRAIN_MS: "10000" });
  await server.printed(/"level":60/);
  expect(await server.ask("/readyz")).toMatchObject({
    status: 503,
    text: expect.stringContaining("stopping") as string,
  });
});

test.for(["export pets", "keys list", "migrate", "backup copy.db"])(
  "65 for %s at once",
  async (command, { petstore }) => {
    damage(petstore);
    await expectExit(65, petstore.run(command), { stderr: damaged });
  },
);

/** Adds a column that takes many minutes to check, because it is computed for each row to see that it is not NULL. */
function prolongCheck({ path }: Petstore): void {
  using database = new DatabaseSync(path("petstore.db"), { defensive: false });
  database.exec(`
    CREATE TABLE slow (n);
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 20000)
    INSERT INTO slow SELECT n FROM numbers;
    PRAGMA writable_schema = ON; -- without it, SQLite would check the rows here
    UPDATE sqlite_schema SET sql = 'CREATE TABLE slow (n, value AS (hex(zeroblob(1e7 + n))) NOT NULL)' WHERE name = 'slow'`);
}

/** The process that checks the file, once it has opened it. Linux lists the children of a process, and the files that it maps. */
async function checkerOf({ pid }: Serving): Promise<number> {
  let checker = 0;
  await eventually(() => {
    checker = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8"));
    return checker !== 0 && readFileSync(`/proc/${checker}/maps`, "utf8").includes("petstore.db-shm");
  });
  onTestFinished(() => {
    if (isRunning(checker)) process.kill(checker, "SIGKILL");
  });
  return checker;
}

/** Whether a process has not ended. One whose parent is gone may be listed for longer. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

describe.runIf(process.platform === "linux")("while a large file is checked", () => {
  test("0 at SIGTERM, within the time for requests in flight", async ({ petstore }) => {
    prolongCheck(petstore);
    await using server = await petstore.serve({ PETSTORE_SHUTDOWN_GRACE_MS: "10000" });
    const checker = await checkerOf(server);
    const startedAt = performance.now();
    await expectExit(0, server.stop());
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(isRunning(checker)).toBe(false);
    expect(existsSync(petstore.path("petstore.db-wal"))).toBe(false);
  });

  test("a second signal ends the check too", async ({ petstore }) => {
    prolongCheck(petstore);
    await using server = await petstore.serve({ PETSTORE_DRAIN_MS: "20000" });
    const checker = await checkerOf(server);
    const ended = server.stop();
    await sleep(600); // sooner, it would count as the same signal
    server.kill("SIGTERM");
    await expectExit(143, ended, { stdout: /"msg":"stopping"/ });
    await eventually(() => !isRunning(checker));
  });

  test("a warning when the check fails, and the server continues", async ({ petstore }) => {
    prolongCheck(petstore);
    await using server = await petstore.serve();
    process.kill(await checkerOf(server), "SIGKILL");
    await server.printed(/"level":40,.*"reason":"SIGKILL","msg":"the database file could not be checked for damage"/);
    expect((await fetch(`${server.url}/pets`)).status).toBe(401);
    await expectExit(0, server.stop());
  });
});
