import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { petstore } from "../../support/petstore.ts";

const rex = { id: 1, name: "Rex", categoryId: 7, status: "available" } as const;
const note = "note: pets update is experimental: it may change or be removed in any release\n";

test.for([
  ["--status pending --if-status available", { status: "pending" }],
  ["--name Mia --category-id 9223372036854775807", { name: "Mia", categoryId: 9223372036854775807n }],
] as const)("0: pets update 1 %s changes the animal and prints it", async ([flags, changes], { server }) => {
  await server.store.importPets([rex]);
  const { exitCode, stdout, stderr } = await petstore(`pets update 1 ${flags}`, { server });
  expect([exitCode, stderr]).toEqual([0, note]);
  expect(await server.store.getPet(1)).toEqual({ ...rex, ...changes });
  expect(`[${stdout.trimEnd()}]`).toBe((await server.call("/pets")).text);
});

test("0: pets update with an idempotency key changes the animal once", async ({ server }) => {
  await server.store.importPets([rex]);
  const sell = () => petstore("pets update 1 --status sold --idempotency-key once --json status -q", { server });
  expect(await sell()).toMatchObject({ exitCode: 0, stdout: '{"status":"sold"}\n', stderr: "" });
  await server.store.updatePet(1, { status: "available" });
  expect(await sell()).toMatchObject({ exitCode: 0, stdout: '{"status":"sold"}\n', stderr: "" });
  expect(await server.store.getPet(1)).toEqual(rex);
});

test.for([
  ["1", "A change needs one of --name"],
  ["1 --name=", "error: --name must be 1 to 255 characters"],
  ["1 --category-id cat", "--category-id must be an integer from"],
  [".. --name Rex", "argument <id> must be an integer from"],
] as const)("2: pets update %s is rejected", async ([args, message], { server }) => {
  const { exitCode, stdout, stderr } = await petstore(`pets update ${args}`, { server });
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(message);
  expect(server.calls).toEqual([]);
});
