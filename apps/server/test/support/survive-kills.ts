import { endurance } from "@petstore/test-kit/endurance";
import { expectExit } from "@petstore/test-servers/processes";
import * as fc from "fast-check";
import { expect } from "vitest";
import type { Petstore } from "./petstore.ts";

const kills = endurance(3, 40);

/** How many animals are acknowledged before each kill. */
const timesOfKills = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: kills, maxLength: kills });

/** An animal that all writers change. Every request changes one of its fields to a value of its own. */
const contended = { id: 1, name: "0", categoryId: 0 };

/** A change of one of its fields to a value that no other change has, and the animal in the response. */
interface Change {
  field: "name" | "categoryId";
  /** When it was first sent, and when its response arrived, on one scale. */
  sentAt: number;
  receivedAt: number;
  pet: typeof contended;
}

interface Write {
  /** Also its idempotency key. */
  number: number;
  /** On a scale that all requests and responses share. */
  sentAt: number;
  /** The field that it changes; `undefined` for a new animal. */
  field: Change["field"] | undefined;
}

/** Creations and changes in turn. */
function toWrite(number: number, sentAt: number): Write {
  return { number, sentAt, field: ([undefined, "name", undefined, "categoryId"] as const)[number % 4] };
}

/**
 * Kills the server again and again with four writers at work, and then finds exactly the acknowledged animals, and the acknowledged
 * changes of one animal in one order.
 */
export async function surviveKills(petstore: Petstore, crash: () => Promise<void> = async () => {}): Promise<void> {
  const key = await petstore.createKey();
  await expectExit(0, petstore.run("import pets -", `${JSON.stringify(contended)}\n`));
  const created: string[] = [];
  const changes: Change[] = [];
  const unanswered: Write[] = [];
  let started = 0;
  let time = 0;

  const acknowledged = () => created.length + changes.length;

  const survive = async (acknowledgementsUntilKill: number): Promise<void> => {
    await using server = await petstore.serve();
    const killAt = acknowledged() + acknowledgementsUntilKill;

    function next(): Write | undefined {
      return unanswered.pop() ?? (killAt < Infinity ? toWrite(++started, time++) : undefined);
    }

    /** Returns nothing if the server was killed before the response. */
    async function send({ number, field }: Write): Promise<string | undefined> {
      const headers = { "Idempotency-Key": `${number}` };
      const body = { name: `${number}`, categoryId: number };
      const sent =
        field === undefined
          ? server.call(key, "/pets", JSON.stringify({ ...body, categoryId: 0 }), headers)
          : server.call(key, `/pets/${contended.id}`, JSON.stringify({ [field]: body[field] }), headers, "PATCH");
      const response = await sent.catch(() => undefined);
      if (response !== undefined) expect(response.status).toBe(field === undefined ? 201 : 200);
      return response?.text;
    }

    /** Repeats requests that had no response before the kill, and then sends new ones until the next kill. */
    async function write(): Promise<void> {
      for (let each = next(); each !== undefined; each = next()) {
        const text = await send(each);
        if (text === undefined) return void unanswered.push(each);
        const { field, sentAt } = each;
        if (field === undefined) created.push(text);
        else changes.push({ field, sentAt, receivedAt: time++, pet: toState(JSON.parse(text) as typeof contended) });
        if (acknowledged() >= killAt) server.kill("SIGKILL");
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
  const [changed = "", ...others] = exported.stdout.trimEnd().split("\n");
  expect([acknowledged(), created.length]).toEqual([started, others.length]);
  expect(others.toSorted()).toEqual(created.toSorted());
  const { stdout: audited } = await petstore.run(`audit --pet ${contended.id}`);
  const entries = audited.trimEnd().split("\n");
  const previous = entries.map((line) => (JSON.parse(line) as { previous: typeof contended }).previous);
  expect(previous[0]).toMatchObject(contended);
  expectOneOrder([...previous.map(toState), toState(JSON.parse(changed) as typeof contended)], changes);
}

/** An animal without its status, which does not change. */
function toState({ id, name, categoryId }: typeof contended): typeof contended {
  return { id, name, categoryId };
}

/** Expects that each state is the one before it after one of the changes, and that each change took effect between its request and its response. */
function expectOneOrder([first, ...states]: readonly (typeof contended)[], changes: readonly Change[]): void {
  const order = states.map(({ name, categoryId }) =>
    changes.findIndex(({ pet }) => pet.name === name && pet.categoryId === categoryId),
  );
  expect(order.toSorted((a, b) => a - b)).toEqual([...changes.keys()]);
  let state = first;
  let latestSentAt = 0;
  for (const index of order) {
    const { field, sentAt, receivedAt, pet } = changes[index] as Change;
    expect(pet).toEqual({ ...state, [field]: pet[field] });
    expect(receivedAt).toBeGreaterThanOrEqual(latestSentAt);
    latestSentAt = Math.max(latestSentAt, sentAt);
    state = pet;
  }
}
