import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { petstore, petstoreInTerminal } from "../../support/petstore.ts";

const rex = { id: 1, name: "Rex", categoryId: 7, status: "available" } as const;

test("0: pets delete --yes removes the animal, once for an idempotency key", async ({ server }) => {
  await server.store.importPets([rex]);
  const remove = () => petstore("pets delete 1 --if-status available --idempotency-key once --yes", { server });
  for (let count = 0; count < 2; count++) {
    const { exitCode, stdout, stderr } = await remove();
    expect([exitCode, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("note: removed animal 1\n");
  }
  expect(await server.store.getPet(1)).toBeUndefined();
  expect(await petstore("pets delete 1 --yes", { server })).toMatchObject({ exitCode: 5 });
});

test.for([
  ["1", "Without a terminal, a removal needs --yes"],
  ["rex --yes", "argument [id] must be an integer from"],
  ["1 --yes --if-status adopted", "Allowed choices are available, pending, sold."],
] as const)("2: pets delete %s is rejected, and removes nothing", async ([args, message], { server }) => {
  await server.store.importPets([rex]);
  const { exitCode, stdout, stderr } = await petstore(`pets delete ${args}`, { server });
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
  expect(server.calls).toEqual([]);
});

test("0: on a terminal, pets delete asks, and removes the animal only after a yes", async ({ server }) => {
  await server.store.importPets([rex]);
  const remove = async (answer: string) => {
    await using session = petstoreInTerminal("pets delete 1", { server });
    await session.shows(/Remove animal 1\? \[y\/N\]/);
    session.type(answer);
    const exitCode = await session.ended;
    return [exitCode, session.screen().join(" ")];
  };
  for (const answer of ["\r", "n\r", "yellow\r"])
    expect(await remove(answer)).toEqual([0, expect.stringContaining("note: nothing was removed")]);
  expect(await remove("\x03")).toEqual([130, expect.anything()]);
  expect(await server.store.getPet(1)).toEqual(rex);
  expect(await remove("Yes\r")).toEqual([0, expect.stringContaining("note: removed animal 1")]);
  expect(await server.store.getPet(1)).toBeUndefined();
});
