import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { resolveTool } from "@petstore/test-kit/tools";
import { expectExit, start, type Running, type Serving } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { parse, stringify } from "yaml";
import { test, type Petstore } from "../support/petstore.ts";

const litestream = resolveTool("@flydotio/litestream-linux-x64/litestream");

interface Configuration {
  dbs: [{ path: string; replicas: [Record<string, string>] }];
}

/**
 * Litestream with the settings that ship, for a database in a folder of its own, and a folder
 * instead of a bucket.
 */
function createLitestream(petstore: Petstore) {
  const folder = petstore.path("data");
  mkdirSync(folder);
  const configuration = parse(read("deploy/litestream.yml")) as Configuration;
  const [database] = configuration.dbs;
  const { type: _type, bucket: _bucket, ...settings } = database.replicas[0];
  database.path = join(folder, "petstore.db");
  database.replicas = [{ ...settings, type: "file", path: petstore.path("replica") }];
  writeFileSync(petstore.path("litestream.yml"), stringify(configuration));
  /** Runs a command of the unit or of the page with these paths. */
  const run = (file: string, command: string): Running => {
    const [, args = ""] =
      new RegExp(`/opt/petstore/litestream (${command} -config .*)`).exec(read(file)) ?? [];
    const here = args
      .replace("/etc/petstore/litestream.yml", petstore.path("litestream.yml"))
      .replace("/var/lib/petstore", folder);
    return start(litestream, here.split(" "), petstore);
  };
  return {
    async replicate(): Promise<Running> {
      const running = run("deploy/petstore-litestream.service", "replicate");
      await running.printed(/snapshot written/);
      return running;
    },
    /** How many pieces of the log have been copied. */
    countCopied: () => globSync(petstore.path("replica/**/*.wal.lz4")).length,
    /** Loses the folder, and restores the database. */
    async restore(): Promise<void> {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      await expectExit(0, run("docs/deployment.md", "restore").ended, { stdout: /^/, stderr: /^/ });
    },
  };
}

/** Adds animals until the server ends. */
function startWriters(server: Serving, key: string, acknowledged: string[]): Promise<unknown> {
  async function write(): Promise<void> {
    for (;;) {
      const created = await server
        .call(key, "/pets", '{"name":"Bella","categoryId":1}')
        .catch(() => undefined);
      if (created === undefined) return;
      expect(created.status).toBe(201);
      acknowledged.push(String((JSON.parse(created.text) as { id: number }).id));
    }
  }
  return Promise.all(Array.from({ length: 8 }, write));
}

async function storedIds(petstore: Petstore): Promise<Set<string>> {
  const { stdout } = await expectExit(0, petstore.run("export pets"), { stdout: /^/ });
  return new Set([...stdout.matchAll(/"id":(\d+)/g)].map(([, id = ""]) => id));
}

test("after both are killed and the disk is lost, a restore has all animals but those of the last seconds", async ({
  petstore,
}) => {
  const onDisk = petstore.on("sqlite:data/petstore.db");
  const backup = createLitestream(petstore);
  const key = await onDisk.createKey();
  for (let round = 1; round <= 3; round++) {
    const acknowledged: string[] = [];
    await using server = await onDisk.serve({ PETSTORE_ADMIN_PORT: "0" });
    await using replicating = await backup.replicate();
    const writing = startWriters(server, key, acknowledged);
    const copied = backup.countCopied();
    await expect
      .poll(() => acknowledged.length > 1_000 && backup.countCopied() >= copied + 2)
      .toBe(true);
    const more = acknowledged.length + 300 * round; // not just after a copy
    await expect.poll(() => acknowledged.length).toBeGreaterThan(more);
    expect((await server.ask("/readyz")).status).toBe(200);
    server.kill("SIGKILL");
    replicating.kill("SIGKILL");
    await Promise.all([server.ended, replicating.ended, writing]);

    await backup.restore();
    await expectExit(0, onDisk.run("doctor"), { stdout: "There is nothing to fix.\n" });
    const stored = await storedIds(onDisk);
    const lost = acknowledged.filter((id) => !stored.has(id));
    expect(lost.length).toBeLessThan(acknowledged.length);
    const newest = Math.max(...[...stored].map(Number));
    expect(lost.filter((id) => Number(id) < newest)).toEqual([]);
  }
});

test("after both are stopped, a restore has every animal, and the server goes on with it", async ({
  petstore,
}) => {
  const onDisk = petstore.on("sqlite:data/petstore.db");
  const backup = createLitestream(petstore);
  const key = await onDisk.createKey();
  const acknowledged: string[] = [];
  {
    await using server = await onDisk.serve();
    await using replicating = await backup.replicate();
    const writing = startWriters(server, key, acknowledged);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(500);
    await Promise.all([expectExit(0, server.stop(), { stdout: /^/ }), writing]);
    replicating.kill("SIGTERM");
    // It may exit with 1: its last copy and its regular one can write the same file, and then one
    // of them fails.
    const { signal, stdout } = await replicating.ended;
    expect({ signal, stdout }).toEqual({
      signal: null,
      stdout: expect.stringContaining("litestream shut down") as string,
    });
  }
  await backup.restore();
  const stored = await storedIds(onDisk);
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
  await using server = await onDisk.serve();
  expect((await server.call(key, "/pets", '{"name":"Bella","categoryId":1}')).status).toBe(201);
});
