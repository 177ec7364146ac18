import { execFileSync } from "node:child_process";
import { DatabaseSync } from "node:sqlite";
import { expectExit, serving } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { test } from "../support/petstore.ts";
import { surviveKills } from "../support/survive-kills.ts";

test("201 and 200 survive if the process is killed with four writers at work; a repeat takes effect once", async ({
  petstore,
}) => {
  await surviveKills(petstore);
  using database = new DatabaseSync(petstore.path("petstore.db"));
  expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
});

test("503 and no readiness while the disk is full; nothing is lost, reads continue, and 201 once there is space", async ({
  petstore,
}) => {
  const key = await petstore.createKey();
  const acknowledged: string[] = [];
  await using server = await serving(
    petstore.shell('ulimit -S -f 1000 && PETSTORE_ADMIN_PORT=0 exec "$@" serve'),
  );
  const create = (index: number) =>
    server.call(
      key,
      "/pets",
      JSON.stringify({ name: `${"🦜".repeat(250)}${index}`, categoryId: 1 }),
    );
  async function createMany(): Promise<number> {
    const responses = await Promise.all(Array.from({ length: 16 }, (_, index) => create(index)));
    const rejected = responses.filter(({ status }) => status !== 201);
    acknowledged.push(...responses.flatMap(({ status, text }) => (status === 201 ? text : [])));
    for (const { status } of rejected) expect(status).toBe(503);
    return rejected.length;
  }

  while ((await createMany()) === 0);
  expect((await server.call(key, "/pets?limit=1")).text).toBe(`[${acknowledged[0]}]`);
  const limitFiles = (bytes: string) =>
    execFileSync("prlimit", ["--pid", `${server.pid}`, `--fsize=${bytes}:`]);
  limitFiles("0");
  expect(await createMany()).toBe(16);
  const full = { status: 503, text: '{"status":"animals cannot be stored"}\n' };
  await expect.poll(() => server.ask("/readyz")).toEqual(full);
  limitFiles("unlimited");
  await expect.poll(() => server.ask("/readyz")).toMatchObject({ status: 200 });
  expect(await createMany()).toBe(0);
  await expectExit(0, server.stop());
  const exported = await petstore.run("export pets");
  expect(exported.stdout.trimEnd().split("\n").toSorted()).toEqual(acknowledged.toSorted());
});
