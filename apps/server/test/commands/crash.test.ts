import { execFileSync } from "node:child_process";
import { DatabaseSync } from "node:sqlite";
import { endurance } from "@petstore/test-kit/endurance";
import { startPostgresServer } from "@petstore/test-kit/postgres-server";
import { expectExit, serving } from "@petstore/test-kit/processes";
import * as fc from "fast-check";
import { expect } from "vitest";
import { test, type Petstore } from "../support/petstore.ts";
import { createDatabase } from "../support/postgres-database.ts";

const kills = endurance(3, 40);

/** How many animals are acknowledged before each kill. */
const timesOfKills = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: kills, maxLength: kills });

/** Kills the server again and again with four writers at work, and then finds exactly the acknowledged animals. */
async function surviveKills(petstore: Petstore, crash: () => Promise<void> = async () => {}): Promise<string> {
  const key = await petstore.createKey();
  const acknowledged: string[] = [];
  const unanswered: string[] = [];
  let started = 0;

  const survive = async (acknowledgementsUntilKill: number): Promise<void> => {
    await using server = await petstore.serve();
    const killAt = acknowledged.length + acknowledgementsUntilKill;

    function next(): string | undefined {
      return unanswered.pop() ?? (killAt < Infinity ? `animal ${started++}` : undefined);
    }

    /** Repeats requests that had no response before the kill, and then adds new animals until the next kill. */
    async function write(): Promise<void> {
      for (let name = next(); name !== undefined; name = next()) {
        const body = `{"name":"${name}","categoryId":9223372036854775807}`;
        const response = await server.call(key, "/pets", body, { "Idempotency-Key": name }).catch(() => undefined);
        if (response === undefined) return void unanswered.push(name);
        expect(response.status).toBe(201);
        acknowledged.push(response.text);
        if (acknowledged.length >= killAt) server.kill("SIGKILL");
      }
    }

    await Promise.all([write(), write(), write(), write()]);
    if (killAt < Infinity) await crash();
  };

  const surviveAll = fc.asyncProperty(timesOfKills, async (times) => {
    for (const count of [...times, Infinity]) await survive(count);
  });
  await fc.assert(surviveAll, { numRuns: 1, endOnFailure: true });

  const exported = await petstore.run("export pets");
  expect(acknowledged).toHaveLength(started);
  expect(exported.stdout.trimEnd().split("\n").toSorted()).toEqual(acknowledged.toSorted());
  return `${kills} kills, 0 of ${acknowledged.length} animals lost or stored twice`;
}

test("201 survives unchanged if the process is killed with four writers at work; a repeat creates no second animal", async ({
  petstore,
  task,
}) => {
  task.meta.figure = await surviveKills(petstore);
  using database = new DatabaseSync(petstore.path("petstore.db"));
  expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
});

test("201 survives also if PostgreSQL crashes with the process; a repeat creates no second animal", async ({
  petstore,
  task,
}) => {
  await using postgres = await startPostgresServer();
  const { url } = await createDatabase(postgres.url);
  task.meta.figure = await surviveKills(petstore.on(url), async () => {
    await postgres.stop("immediate");
    await postgres.start();
  });
});

test("503 while the disk is full; nothing is lost, reads continue, and 201 once there is space", async ({
  petstore,
  task,
}) => {
  const key = await petstore.createKey();
  const acknowledged: string[] = [];
  await using server = await serving(petstore.shell('ulimit -S -f 1000 && exec "$@" serve'));
  const create = (index: number) =>
    server.call(key, "/pets", JSON.stringify({ name: `${"🦜".repeat(250)}${index}`, categoryId: 1 }));
  async function createMany(): Promise<number> {
    const responses = await Promise.all(Array.from({ length: 16 }, (_, index) => create(index)));
    const refused = responses.filter(({ status }) => status !== 201);
    acknowledged.push(...responses.flatMap(({ status, text }) => (status === 201 ? text : [])));
    const message = "The service is temporarily unavailable. Try again shortly.";
    for (const { status, headers, text } of refused) {
      expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
      expect(JSON.parse(text)).toEqual({ code: "unavailable", message, status: 503 });
    }
    return refused.length;
  }

  while ((await createMany()) === 0);
  expect((await server.call(key, "/pets?limit=1")).text).toBe(`[${acknowledged[0]}]`);
  execFileSync("prlimit", ["--pid", String(server.pid), "--fsize=unlimited"]);
  expect(await createMany()).toBe(0);
  await expectExit(0, server.stop());
  const exported = await petstore.run("export pets");
  expect(exported.stdout.trimEnd().split("\n").toSorted()).toEqual(acknowledged.toSorted());
  task.meta.figure = `0 of ${acknowledged.length} animals lost`;
});
