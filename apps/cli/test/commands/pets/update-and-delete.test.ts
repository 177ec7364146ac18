import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { petstore, petstoreInTerminal } from "../../support/petstore.ts";

const rex = { id: 1, name: "Rex", categoryId: 7, status: "available" } as const;
const note = "note: pets update is experimental: it may change or be removed in any release\n";

test.for([
  ["--status pending --if-status available", { status: "pending" }],
  [
    "--name Mia --category-id 9223372036854775807",
    { name: "Mia", categoryId: 9223372036854775807n },
  ],
] as const)(
  "0: pets update 1 %s changes the animal and prints it",
  async ([flags, changes], { server }) => {
    await server.store.importPets([rex]);
    const { exitCode, stdout, stderr } = await petstore(`pets update 1 ${flags}`, { server });
    expect([exitCode, stderr]).toEqual([0, note]);
    expect(await server.store.getPet(1)).toEqual({ ...rex, ...changes });
    expect(`[${stdout.trimEnd()}]`).toBe((await server.call("/pets")).text);
  },
);

test("0: pets update with an idempotency key changes the animal once", async ({ server }) => {
  await server.store.importPets([rex]);
  const sell = () =>
    petstore("pets update 1 --status sold --idempotency-key once --json status -q", { server });
  expect(await sell()).toMatchObject({ exitCode: 0, stdout: '{"status":"sold"}\n', stderr: "" });
  await server.store.updatePet(1, { status: "available" });
  expect(await sell()).toMatchObject({ exitCode: 0, stdout: '{"status":"sold"}\n', stderr: "" });
  expect(await server.store.getPet(1)).toEqual(rex);
});

test("0: pets delete --yes removes the animal, once for an idempotency key", async ({ server }) => {
  await server.store.importPets([rex]);
  const remove = () =>
    petstore("pets delete 1 --if-status available --idempotency-key once --yes", { server });
  for (let count = 0; count < 2; count++) {
    const { exitCode, stdout, stderr } = await remove();
    expect([exitCode, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("note: removed animal 1\n");
  }
  expect(await server.store.getPet(1)).toBeUndefined();
  expect(await petstore("pets delete 1 --yes", { server })).toMatchObject({ exitCode: 5 });
});

test.for([
  ["update 1", "A change needs one of --name"],
  ["update 1 --name=", "error: --name must be 1 to 255 characters"],
  ["update .. --name Rex", "argument <id> must be an integer from"],
  ["delete 1", "Without a terminal, a removal needs --yes"],
  ["delete rex --yes", "argument [id] must be an integer from"],
] as const)("2: pets %s is rejected, and sends nothing", async ([args, message], { server }) => {
  const { exitCode, stdout, stderr } = await petstore(`pets ${args}`, { server });
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
  expect(server.calls).toEqual([]);
});

test("0: on a terminal, pets delete asks, and removes the animal only after a yes", async ({
  server,
}) => {
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
