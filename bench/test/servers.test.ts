import { read } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { checkResponses } from "../measure.ts";
import { readOptions } from "../options.ts";
import { bundle } from "../server-process.ts";
import { startServers } from "../servers.ts";

test("every server responds with the same status and the same bytes", async () => {
  await using servers = await startServers({
    bundles: { ours: bundle },
    isPinned: false,
    animals: 1_000,
  });
  expect(servers.started.map(({ name }) => name)).toEqual([
    "ours",
    "ours on PostgreSQL",
    "fastify",
  ]);
  await expect(checkResponses(servers.started, servers.apiKey)).resolves.toBeUndefined();
});

test("the commands of docs/performance.md name existing requests, and no other name is taken", () => {
  const commands = [...read("docs/performance.md").matchAll(/^npx pnpm@12 bench(?: (.+))?$/gm)];
  expect(commands.length).toBeGreaterThan(1);
  for (const [, args = ""] of commands)
    expect(() => readOptions(args === "" ? [] : args.split(" "))).not.toThrow();
  expect(() => readOptions(["--only", "lists"])).toThrow(
    '"lists" is not one of list20, list100, get, create',
  );
});
