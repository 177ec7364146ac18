import { execFileSync } from "node:child_process";
import { DatabaseSync } from "node:sqlite";
import { expectExit, serving } from "@petstore/test-kit/processes";
import { expect } from "vitest";
import { test } from "../support/petstore.ts";

test("201 survives unchanged if the process is killed right after it", async ({ petstore }) => {
  const key = await petstore.createKey();
  await using server = await petstore.serve();
  const created = await server.call(key, "/pets", '{"name":"Bella","categoryId":9223372036854775807}');
  server.kill("SIGKILL");
  expect(created.status).toBe(201);
  expect(created.text).toBe('{"id":1,"name":"Bella","categoryId":9223372036854775807,"status":"available"}');
  await server.ended;

  await using restarted = await petstore.serve();
  expect((await restarted.call(key, "/pets/1")).text).toBe(created.text);
  expect((await restarted.call(key, "/pets")).text).toBe(`[${created.text}]`);
});

test("201 survives four writers and repeated kills; a repeat creates no second animal", async ({ petstore }) => {
  const key = await petstore.createKey();
  const acknowledged: string[] = [];
  const unanswered: string[] = [];
  let started = 0;

  for (const acknowledgementsUntilKill of [20, 45, 70, Infinity]) {
    await using server = await petstore.serve();
    const killAt = acknowledged.length + acknowledgementsUntilKill;

    function next(): string | undefined {
      return unanswered.pop() ?? (killAt < Infinity ? `animal ${started++}` : undefined);
    }

    /** Repeats requests that had no response before the kill, and then adds new animals until the next kill. */
    async function write(): Promise<void> {
      for (let name = next(); name !== undefined; name = next()) {
        const body = JSON.stringify({ name, categoryId: 1 });
        const response = await server.call(key, "/pets", body, { "Idempotency-Key": name }).catch(() => undefined);
        if (response === undefined) return void unanswered.push(name);
        expect(response.status).toBe(201);
        acknowledged.push(response.text);
        if (acknowledged.length >= killAt) server.kill("SIGKILL");
      }
    }

    await Promise.all([write(), write(), write(), write()]);
  }

  const exported = await petstore.run("export pets");
  expect(acknowledged).toHaveLength(started);
  expect(exported.stdout.trimEnd().split("\n").toSorted()).toEqual(acknowledged.toSorted());
  using database = new DatabaseSync(petstore.path("petstore.db"));
  expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
});

test("503 when a file cannot grow; nothing is lost, reads continue, and later writes succeed", async ({ petstore }) => {
  const key = await petstore.createKey();
  const animal = JSON.stringify({ name: "🦜".repeat(255), categoryId: 1 });
  const acknowledged: string[] = [];
  {
    await using server = await serving(petstore.shell('ulimit -f 1000 && exec "$@" serve'));
    let response = await server.call(key, "/pets", animal);
    for (; response.status === 201; response = await server.call(key, "/pets", animal))
      acknowledged.push(response.text);

    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("1");
    const message = "The service is temporarily unavailable. Try again shortly.";
    expect(JSON.parse(response.text)).toEqual({ code: "unavailable", message, status: 503 });
    expect((await server.call(key, "/pets", animal, { "Idempotency-Key": "one" })).status).toBe(503);
    expect((await server.call(key, "/pets?limit=1")).text).toBe(`[${acknowledged[0]}]`);
    await expectExit(0, server.stop());
  }
  expect((await petstore.run("export pets")).stdout).toBe(acknowledged.map((line) => `${line}\n`).join(""));
  await using server = await petstore.serve();
  expect((await server.call(key, "/pets", animal)).status).toBe(201);
});

test("503 for all creations of a batch that does not fit on the disk, and 201 once there is space", async ({
  petstore,
}) => {
  const key = await petstore.createKey();
  const acknowledged: string[] = [];
  await using server = await serving(petstore.shell('ulimit -S -f 1000 && exec "$@" serve'));
  let refused = 0;
  async function createMany(): Promise<void> {
    const creations = Array.from({ length: 16 }, (_, index) =>
      server.call(key, "/pets", JSON.stringify({ name: `${"🦜".repeat(250)}${index}`, categoryId: 1 })),
    );
    for (const { status, text } of await Promise.all(creations)) {
      if (status === 201) acknowledged.push(text);
      else expect(status).toBe(503);
      refused += Number(status === 503);
    }
  }

  while (refused === 0) await createMany();
  execFileSync("prlimit", ["--pid", String(server.pid), "--fsize=unlimited"]);
  refused = 0;
  await createMany();
  expect(refused).toBe(0);
  const exported = await petstore.run("export pets");
  expect(exported.stdout.trimEnd().split("\n").toSorted()).toEqual(acknowledged.toSorted());
});
