import { petSchema } from "@petstore/contract/pet";
import { startServer } from "@petstore/server/start-server";
import { describe, expect } from "vitest";
import { test } from "../support/fixtures.ts";
import { petstore } from "../support/petstore.ts";

const large = 9007199254740993n;
const fields = Object.keys(petSchema.shape).join(", ");

/** Runs it with a server of its own. */
async function run(line: string, environment: Record<string, string> = {}) {
  await using server = await startServer();
  await server.store.importPets([
    { name: "Bella", categoryId: large, status: "available" },
    { name: "Milo", categoryId: 2, status: "sold" },
  ]);
  await server.store.importOrders([
    { id: 1, json: '{"id":1,"total":12345678901234567890,"__proto__":"p","note":null}' },
    { id: large, json: `{"id":${large}}` },
  ]);
  const { exitCode, stdout, stderr } = await petstore(`${line} -q`, { server, environment });
  return { exitCode, stdout, stderr, requests: server.logs.length };
}

describe("--json", () => {
  test.for<[line: string, expected: string]>([
    [
      "pets list --json id,categoryId",
      `[\n{"id":1,"categoryId":${large}},\n{"id":2,"categoryId":2}\n]\n`,
    ],
    ["pets list --json categoryId,id --limit 1", `[\n{"categoryId":${large},"id":1}\n]\n`],
    ["pets list --json=id --category-id 2 --status sold", '[\n{"id":2}\n]\n'],
    ["pets get 1 --json categoryId", `{"categoryId":${large}}\n`],
    // Orders have the fields of the operator's order system.
    [
      "orders list --json total,id,__proto__,none",
      `[\n{"total":12345678901234567890,"id":1,"__proto__":"p","none":null},\n{"total":null,"id":${large},"__proto__":null,"none":null}\n]\n`,
    ],
  ])("0: %s", async ([line, expected]) => {
    expect(await run(line)).toMatchObject({ exitCode: 0, stdout: expected });
  });

  test.for([
    ["csv", '[\n{"id":1},\n{"id":2}\n]\n'],
    ["ndjson", '{"id":1}\n{"id":2}\n'],
  ] as const)("0: it takes precedence over the default format %s", async ([format, stdout]) => {
    const ended = await run("pets list --json id", { PETSTORE_OUTPUT: format });
    expect(ended).toMatchObject({ exitCode: 0, stdout });
  });

  test.for<[line: string, error: string, hint: string]>([
    [
      "pets list --json",
      "--json needs the fields to print, separated by commas",
      `Fields: ${fields}`,
    ],
    [
      "orders list --json",
      "--json needs the fields to print, separated by commas",
      "An order has an id, and any other fields",
    ],
    [
      "pets list --json constructor",
      "--json: there is no field 'constructor'",
      `Fields: ${fields}`,
    ],
    [
      "orders list --json id,",
      "--json: there is no field ''",
      "An order has an id, and any other fields",
    ],
    [
      "pets list -o csv --json id",
      "--json cannot be used with --output csv",
      "Use -o json or -o ndjson with it",
    ],
  ])("2: %s", async ([line, error, hint]) => {
    const stderr = `error: ${error}\nhint: ${hint}\n`;
    expect(await run(line)).toEqual({ exitCode: 2, stdout: "", stderr, requests: 0 });
  });
});
