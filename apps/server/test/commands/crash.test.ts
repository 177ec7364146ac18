import { execFileSync } from "node:child_process";
import { DatabaseSync } from "node:sqlite";
import { endurance } from "@petstore/test-kit/endurance";
import { expectExit, serving } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { test } from "../support/petstore.ts";

const kills = endurance(3, 40);

/** An animal that all writers change, each time to a name of its own. */
const contended = '{"id":1,"name":"0","categoryId":0,"status":"sold"}';

function nameIn(animal = ""): string {
  return (JSON.parse(animal) as { name: string }).name;
}

test("201 and 200 survive if the process is killed with four writers at work; a repeat takes effect once", async ({
  petstore,
}) => {
  const key = await petstore.createKey();
  await expectExit(0, petstore.run("import pets -", contended));
  const created: string[] = [];
  const changed: string[] = [];
  const acknowledged = () => created.length + changed.length;
  const unanswered: number[] = [];
  let started = 0;
  for (let round = 0; round <= kills; round++) {
    await using server = await petstore.serve();
    // The last round only repeats the requests that had no response.
    const killAt = round < kills ? acknowledged() + 1 + Math.floor(80 * Math.random()) : Infinity;
    const next = () => unanswered.pop() ?? (killAt < Infinity ? ++started : undefined);
    const write = async (): Promise<void> => {
      for (let number = next(); number !== undefined; number = next()) {
        const [path, method, status, texts] =
          number % 2 === 0 ? (["/pets", "POST", 201, created] as const) : (["/pets/1", "PATCH", 200, changed] as const);
        const body = JSON.stringify({ name: `${number}`, categoryId: 0 });
        const sent = server.call(key, path, body, { "Idempotency-Key": `${number}` }, method);
        const response = await sent.catch(() => undefined);
        if (response === undefined) return void unanswered.push(number);
        expect(response.status).toBe(status);
        texts.push(response.text);
        if (acknowledged() >= killAt) server.kill("SIGKILL");
      }
    };
    await Promise.all([write(), write(), write(), write()]);
  }

  expect(acknowledged()).toBe(started);
  const [last, ...others] = (await petstore.run("export pets")).stdout.trimEnd().split("\n");
  expect(others.toSorted()).toEqual(created.toSorted());
  const { stdout: audited } = await petstore.run("audit --pet 1");
  const names = Array.from(audited.matchAll(/"name":"(\d+)"/g), ([, name = ""]) => name);
  expect([...names, nameIn(last)].toSorted()).toEqual(["0", ...changed.map(nameIn)].toSorted());
  using database = new DatabaseSync(petstore.path("petstore.db"));
  expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
});

test("503 and no readiness while the disk is full; nothing is lost, reads continue, and 201 once there is space", async ({
  petstore,
}) => {
  const key = await petstore.createKey();
  const acknowledged: string[] = [];
  await using server = await serving(petstore.shell('ulimit -S -f 1000 && PETSTORE_ADMIN_PORT=0 exec "$@" serve'));
  const create = (index: number) =>
    server.call(key, "/pets", JSON.stringify({ name: `${"🦜".repeat(250)}${index}`, categoryId: 1 }));
  async function createMany(): Promise<number> {
    const responses = await Promise.all(Array.from({ length: 16 }, (_, index) => create(index)));
    const rejected = responses.filter(({ status }) => status !== 201);
    acknowledged.push(...responses.flatMap(({ status, text }) => (status === 201 ? text : [])));
    for (const { status } of rejected) expect(status).toBe(503);
    return rejected.length;
  }

  while ((await createMany()) === 0);
  expect((await server.call(key, "/pets?limit=1")).text).toBe(`[${acknowledged[0]}]`);
  const limitFiles = (bytes: string) => execFileSync("prlimit", ["--pid", `${server.pid}`, `--fsize=${bytes}:`]);
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
