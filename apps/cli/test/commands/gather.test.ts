import { expect, test } from "vitest";
import { gather } from "../../src/commands/import/send/gather.ts";

async function* each<Item>(...items: readonly (Item | Promise<Item>)[]): AsyncGenerator<Item> {
  for (const item of items) yield await item;
}

const never = new Promise<never>(() => {});

test("items that are there come in full groups, and the last in a smaller one", async () => {
  const groups: number[][] = [];
  for await (const group of gather(each(1, 2, 3, 4, 5), async () => 2)) groups.push(group);
  expect(groups).toEqual([[1, 2], [3, 4], [5]]);
});

test("an item does not wait for the next", async () => {
  const groups = gather(each(1, never), async () => 100);
  expect(await groups.next()).toEqual({ done: false, value: [1] });
});

test("what comes while no group may be taken is in the group after it", async () => {
  const free = Promise.withResolvers<number>();
  const second = Promise.withResolvers<number>();
  const groups = gather(each(1, second.promise, never), () => free.promise);
  const group = groups.next();
  second.resolve(2);
  free.resolve(100);
  expect(await group).toEqual({ done: false, value: [1, 2] });
});

test("the items before an error come before it", async () => {
  const groups = gather(each(1, 2, Promise.reject(new Error("damaged"))), async () => 100);
  expect(await groups.next()).toEqual({ done: false, value: [1, 2] });
  await expect(groups.next()).rejects.toThrow("damaged");
});
