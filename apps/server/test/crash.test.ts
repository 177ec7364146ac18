import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  createKey,
  petstoreServer,
  run,
  serve,
  serving,
  settings,
  start,
  temporaryDirectory,
} from "@petstore/test-kit/processes";
import { expect, test, vi } from "vitest";

vi.setConfig({ testTimeout: 60_000 });

test("201 is kept to the last bit when the process is killed right after it", async () => {
  using directory = temporaryDirectory();
  const key = await createKey(directory.path);
  await using server = await serve(directory.path);
  const created = await server.call(key, "/pets", '{"name":"Bella","categoryId":9223372036854775807}');
  server.kill("SIGKILL");
  expect(created.status).toBe(201);
  expect(created.text).toBe('{"id":1,"name":"Bella","categoryId":9223372036854775807,"status":"available"}');
  await server.ended;

  await using restarted = await serve(directory.path);
  expect((await restarted.call(key, "/pets/1")).text).toBe(created.text);
  expect((await restarted.call(key, "/pets")).text).toBe(`[${created.text}]`);
});

test("201 is kept under four writers and repeated kills, and a repeated request creates no second animal", async () => {
  using directory = temporaryDirectory();
  const key = await createKey(directory.path);
  const acknowledged: string[] = [];
  const unanswered: string[] = [];
  let started = 0;

  for (const acknowledgementsUntilKill of [20, 45, 70, Infinity]) {
    await using server = await serve(directory.path);
    const killAt = acknowledged.length + acknowledgementsUntilKill;

    function next(): string | undefined {
      return unanswered.pop() ?? (killAt < Infinity ? `animal ${started++}` : undefined);
    }

    /** Repeats what was not answered before the kill, and goes on with new animals until the next one. */
    async function write(): Promise<void> {
      for (let name = next(); name !== undefined; name = next()) {
        const body = JSON.stringify({ name, categoryId: 1 });
        const answer = await server.call(key, "/pets", body, { "Idempotency-Key": name }).catch(() => undefined);
        if (answer === undefined) {
          unanswered.push(name);
          return;
        }
        expect(answer.status).toBe(201);
        acknowledged.push(answer.text);
        if (acknowledged.length >= killAt) server.kill("SIGKILL");
      }
    }

    await Promise.all([write(), write(), write(), write()]);
  }

  const exported = await run(directory.path, ["export", "pets"]);
  expect(acknowledged).toHaveLength(started);
  expect(exported.stdout.trimEnd().split("\n").toSorted()).toEqual(acknowledged.toSorted());
  using database = new DatabaseSync(join(directory.path, "petstore.db"));
  expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
});

test("503 unavailable when a file cannot grow: nothing acknowledged is lost, reads go on, and so do writes once it can", async () => {
  using directory = temporaryDirectory();
  const key = await createKey(directory.path);
  const animal = JSON.stringify({ name: "🦜".repeat(255), categoryId: 1 });
  const acknowledged: string[] = [];
  {
    const command = ["-c", 'ulimit -f 1000 && exec "$@"', "sh", process.execPath, petstoreServer, "serve"];
    await using server = await serving(start("/bin/sh", command, { directory: directory.path, environment: settings }));
    let answer = await server.call(key, "/pets", animal);
    for (; answer.status === 201; answer = await server.call(key, "/pets", animal)) acknowledged.push(answer.text);

    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("1");
    const message = "The service cannot answer right now. Try again shortly.";
    expect(JSON.parse(answer.text)).toEqual({ code: "unavailable", message, status: 503 });
    const repeat = { "Idempotency-Key": "one" };
    expect((await server.call(key, "/pets", animal, repeat)).status).toBe(503);
    expect((await server.call(key, "/pets?limit=1")).text).toBe(`[${acknowledged[0]}]`);
    expect((await server.stop()).exitCode).toBe(0);
  }
  expect((await run(directory.path, ["export", "pets"])).stdout).toBe(acknowledged.map((line) => `${line}\n`).join(""));

  await using server = await serve(directory.path);
  expect((await server.call(key, "/pets", animal)).status).toBe(201);
});
