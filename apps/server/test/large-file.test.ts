import { readFileSync, writeFileSync } from "node:fs";
import { expectExit } from "@petstore/test-kit/processes";
import { expect } from "vitest";
import { openSqliteStore } from "../src/store/sqlite/store.ts";
import { test as base, type Petstore } from "./petstore.ts";

const admin = { PETSTORE_ADMIN_PORT: "0" };

const damaged = /^petstore-server: \/\S+petstore\.db is damaged \(.+\): restore a backup\n$/;

/** With a file so large that the start does not wait until it is read. */
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
