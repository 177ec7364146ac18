import { spawnSync } from "node:child_process";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "@petstore/test-kit/eventually";
import { temporaryDirectory, type Serving } from "@petstore/test-servers/processes";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { timeLimits } from "../../src/time-limits.ts";
import { parseMetrics } from "../support/metrics-text.ts";
import { test, type Petstore } from "../support/petstore.ts";

const directory = temporaryDirectory();
const library = join(directory.path, "slow-disk.so");

afterAll(() => directory[Symbol.dispose]());

/** A server whose disk syncs are counted, and delayed if a test asks for it. */
interface SlowServer {
  server: Serving;
  /** How many syncs have begun. */
  syncs: () => number;
  hold: () => void;
  release: () => void;
  create: (name: string) => Promise<number>;
  apiKey: string;
}

async function activeRequests(server: Serving): Promise<number> {
  return parseMetrics((await server.ask("/metrics")).text).value("http_server_active_requests");
}

async function serveSlowly(petstore: Petstore, graceMs = 25_000): Promise<SlowServer> {
  const apiKey = await petstore.createKey();
  const [syncsFile, holdFile] = [petstore.path("syncs"), petstore.path("hold")];
  writeFileSync(syncsFile, "");
  const server = await petstore.serve({
    LD_PRELOAD: library,
    PETSTORE_SYNCS: syncsFile,
    PETSTORE_HOLD: holdFile,
    PETSTORE_ADMIN_PORT: "0",
    PETSTORE_SHUTDOWN_GRACE_MS: `${graceMs}`,
  });
  return {
    server,
    syncs: () => statSync(syncsFile).size,
    hold: () => writeFileSync(holdFile, ""),
    release: () => rmSync(holdFile),
    create: async (name) =>
      (await server.call(apiKey, "/pets", JSON.stringify({ name, categoryId: 1 }))).status,
    apiKey,
  };
}

// Only Linux loads a library before all others at LD_PRELOAD.
describe.runIf(process.platform === "linux")("while the disk is slow", () => {
  beforeAll(() => {
    const args = [
      "-shared",
      "-fPIC",
      "-o",
      library,
      join(import.meta.dirname, "slow-disk.c"),
      "-ldl",
    ];
    const { error, status, stderr } = spawnSync("cc", args, { encoding: "utf8" });
    if (error) throw new Error("These tests need cc, a C compiler", { cause: error });
    if (status !== 0) throw new Error(stderr);
  });

  test("200 for reads while the disk syncs, and at most one more sync for all creations that arrive meanwhile", async ({
    petstore,
  }) => {
    const slow = await serveSlowly(petstore);
    await using server = slow.server;
    const { syncs, hold, release, create, apiKey } = slow;
    expect(await create("first")).toBe(201);
    const before = syncs();
    hold();
    const creations = [create("held")];
    await eventually(() => syncs() === before + 1);
    for (let count = 0; count < 16; count++) creations.push(create("waiting"));
    await expect.poll(() => activeRequests(server)).toBe(17);

    expect((await server.call(apiKey, "/pets/1")).status).toBe(200);
    expect(JSON.parse((await server.call(apiKey, "/pets")).text)).toMatchObject([
      { name: "first" },
    ]);

    release();
    expect(new Set(await Promise.all(creations))).toEqual(new Set([201]));
    expect(syncs()).toBeLessThanOrEqual(before + 2);
    const stored = JSON.parse((await server.call(apiKey, "/pets?limit=100")).text) as unknown[];
    expect(stored).toHaveLength(18);
  });

  test("503 once the disk has stopped, and 201 when it continues", async ({ petstore }) => {
    const slow = await serveSlowly(petstore.withLimits({ disk: timeLimits.disk }));
    await using server = slow.server;
    const { syncs, hold, release, create, apiKey } = slow;
    const before = syncs();
    hold();
    const held = create("held");
    await eventually(() => syncs() > before);
    const waiting: Promise<number>[] = [];
    let rejected = 0;
    await eventually(() => {
      waiting.push(
        create("waiting").then((status) => ((rejected += Number(status === 503)), status)),
      );
      return rejected > 0;
    });
    expect((await server.call(apiKey, "/pets")).status).toBe(200);
    expect(await server.ask("/readyz")).toEqual({
      status: 503,
      text: '{"status":"animals cannot be stored"}\n',
    });
    release();
    expect(await held).toBe(201);
    expect([201, 503]).toEqual(expect.arrayContaining(await Promise.all(waiting)));
    expect(await create("later")).toBe(201);
    await expect.poll(() => server.ask("/readyz")).toMatchObject({ status: 200 });
  });

  test("SIGKILL of itself after the grace period if the disk hangs; what it acknowledged is there", async ({
    petstore,
  }) => {
    const { server, syncs, hold, create } = await serveSlowly(
      petstore.withLimits({ close: 500 }),
      1,
    );
    expect(await create("stored")).toBe(201);
    const before = syncs();
    hold();
    const held = create("held").catch(() => "no response");
    await eventually(() => syncs() > before);
    const ended = await server.stop();
    expect(ended).toMatchObject({
      signal: "SIGKILL",
      stdout: expect.stringContaining('"level":60'),
    });
    expect(await held).toBe("no response");
    expect((await petstore.run("export pets")).stdout).toContain("stored");
  });
});
