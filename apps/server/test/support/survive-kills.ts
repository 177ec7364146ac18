import { endurance } from "@petstore/test-kit/endurance";
import { expectExit } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import type { Petstore } from "./petstore.ts";

const kills = endurance(3, 40);

/** An animal that all writers change, each time to a name of its own. */
const contended = '{"id":1,"name":"0","categoryId":0,"status":"sold"}';

function nameIn(animal = ""): string {
  return (JSON.parse(animal) as { name: string }).name;
}

/**
 * Kills the server again and again with four writers at work, and then finds exactly the animals and the changes that were acknowledged.
 * @param crash what else fails with each kill
 */
export async function surviveKills(petstore: Petstore, crash: () => Promise<void> = async () => {}): Promise<void> {
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
    if (round < kills) await crash();
  }

  expect(acknowledged()).toBe(started);
  const [last, ...others] = (await petstore.run("export pets")).stdout.trimEnd().split("\n");
  expect(others.toSorted()).toEqual(created.toSorted());
  const { stdout: audited } = await petstore.run("audit --pet 1");
  const names = Array.from(audited.matchAll(/"name":"(\d+)"/g), ([, name = ""]) => name);
  expect([...names, nameIn(last)].toSorted()).toEqual(["0", ...changed.map(nameIn)].toSorted());
}
