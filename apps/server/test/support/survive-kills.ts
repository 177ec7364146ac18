import { endurance } from "@petstore/test-kit/endurance";
import { expectExit } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import type { Petstore } from "./petstore.ts";

const kills = endurance(3, 40);

/** How many animals a batch has. */
const batchSize = 7;

interface Write {
  method: string;
  path: string;
  status: number;
  body: object;
  /** Notes what the response acknowledges. */
  note: (text: string) => void;
}

/** An animal that all writers change, each time to a name of its own. */
const contended = '{"id":1,"name":"0","categoryId":0,"status":"sold"}';

function nameIn(animal = ""): string {
  return (JSON.parse(animal) as { name: string }).name;
}

/**
 * Kills the server again and again with four writers at work, and then finds exactly the animals
 * and the changes that were acknowledged.
 * @param crash what else fails with each kill
 */
export async function surviveKills(
  petstore: Petstore,
  crash: () => Promise<void> = async () => {},
): Promise<void> {
  const key = await petstore.createKey();
  await expectExit(0, petstore.run("import pets -", contended));
  const created: string[] = [];
  const changed: string[] = [];
  let acknowledged = 0;

  /** Every third one is a creation, a change or a batch. */
  function writeOf(number: number): Write {
    const pet = { name: `${number}`, categoryId: 0 };
    if (number % 3 === 0)
      return {
        method: "POST",
        path: "/pets",
        status: 201,
        body: pet,
        note: (text) => created.push(text),
      };
    if (number % 3 === 1)
      return {
        method: "PATCH",
        path: "/pets/1",
        status: 200,
        body: pet,
        note: (text) => changed.push(text),
      };
    const pets = Array.from({ length: batchSize }, (_, at) => ({
      ...pet,
      idempotencyKey: `${number}-${at}`,
    }));
    const note = (text: string) => {
      const results = JSON.parse(text) as { status: number; pet?: object }[];
      expect(results.map(({ status }) => status)).toEqual(pets.map(() => 201));
      created.push(...results.map(({ pet: stored }) => JSON.stringify(stored)));
    };
    return { method: "POST", path: "/pet-batches", status: 200, body: { pets }, note };
  }

  const unanswered: number[] = [];
  let started = 0;
  for (let round = 0; round <= kills; round++) {
    await using server = await petstore.serve();
    // The last round only repeats the requests that had no response.
    const killAt = round < kills ? acknowledged + 1 + Math.floor(80 * Math.random()) : Infinity;
    const next = () => unanswered.pop() ?? (killAt < Infinity ? ++started : undefined);
    const write = async (): Promise<void> => {
      for (let number = next(); number !== undefined; number = next()) {
        const { method, path, status, body, note } = writeOf(number);
        const headers = { "Idempotency-Key": `${number}` };
        const sent = server.call(key, path, JSON.stringify(body), headers, method);
        const response = await sent.catch(() => undefined);
        if (response === undefined) return void unanswered.push(number);
        expect(response.status).toBe(status);
        note(response.text);
        acknowledged += 1;
        if (acknowledged >= killAt) server.kill("SIGKILL");
      }
    };
    await Promise.all([write(), write(), write(), write()]);
    if (round < kills) await crash();
  }

  expect(acknowledged).toBe(started);
  const [last, ...others] = (await petstore.run("export pets")).stdout.trimEnd().split("\n");
  expect(others.toSorted()).toEqual(created.toSorted());
  const { stdout: audited } = await petstore.run("audit --pet 1");
  const names = Array.from(audited.matchAll(/"name":"(\d+)"/g), ([, name = ""]) => name);
  expect([...names, nameIn(last)].toSorted()).toEqual(["0", ...changed.map(nameIn)].toSorted());
}
