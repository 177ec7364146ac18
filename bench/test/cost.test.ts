import { read } from "@petstore/test-kit/checkout";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle } from "../bundled-server.ts";
import { checkResponses, inTurn, measureCost, requestFor, type RequestName } from "../measure.ts";
import { readOptions } from "../options.ts";
import { hasThreadTimes } from "../server-process.ts";
import { prepareServers, type Server, type Servers } from "../servers.ts";

let servers: Servers;
let started: Server[];

beforeAll(async () => {
  servers = prepareServers({ bundles: { ours: bundle }, isPinned: false });
  const names = ["ours", "node:http", "fastify+duties", "fastify-json-schema+duties", "hono+duties", "express+duties"];
  started = await Promise.all(names.map((name) => servers.start(name)));
});
afterAll(() => servers[Symbol.asyncDispose]());

test("every server responds with the same status and the same bytes", async () => {
  await expect(checkResponses(started, servers.apiKey)).resolves.toBeUndefined();
});

/** The most that a request may cost our server, relative to another: twice the measured ratio, because other suites run too. */
const most = {
  list20: { "node:http": 6, "fastify+duties": 3 },
  list100: { "node:http": 4, "fastify+duties": 2.5 },
  get: { "node:http": 7, "fastify+duties": 3.5 },
};

test.runIf(hasThreadTimes)("a request costs ours at most a multiple of the CPU time of others", async () => {
  const names = Object.keys(most) as (keyof typeof most)[];
  const compared = started.slice(0, 3);
  await inTurn(compared, names, 1, costOver(2_000)); // until the code is compiled
  const costs = await inTurn(compared, names, 9, costOver(300));

  // The minimum of many rounds is the one that other load disturbed least.
  const costOf = (server: string, name: (typeof names)[number]) => Math.min(...(costs.get(server)?.[name] ?? []));
  for (const name of names) {
    for (const [other, bound] of Object.entries(most[name])) {
      const ratio = costOf("ours", name) / costOf(other, name);
      expect.soft(ratio, `${name}, beside ${other}`).toBeLessThan(bound);
    }
  }
});

test("the commands of docs/performance.md name existing requests and servers", () => {
  const commands = [...read("docs/performance.md").matchAll(/^npx pnpm@12 bench(?: (.+))?$/gm)];
  expect(commands.length).toBeGreaterThan(1);
  for (const [, args = ""] of commands) {
    const { names, rounds } = readOptions(args === "" ? [] : args.split(" "));
    expect(names).not.toEqual([]);
    expect(rounds).toBeGreaterThan(0);
  }
});

test("--rounds takes a number", () => {
  expect(() => readOptions(["--rounds", "many"])).toThrow("not a number of rounds");
  expect(() => readOptions(["--rounds", "0"])).toThrow("not a number of rounds");
});

test.each(["lists", "list20,gets"])("an unknown request is rejected: --only %s", (only) => {
  expect(() => readOptions(["--only", only])).toThrow(
    " is not one of list20, list100, get, create, latency, rejections",
  );
});

/** Measures the cost of a number of responses. */
function costOver(responses: number) {
  return async (server: Server, name: RequestName): Promise<number> => {
    let left = responses;
    const request = requestFor(name, servers.apiKey);
    return (await measureCost(server, request, { isOver: () => left-- <= 0, status: 200 })).cpu;
  };
}
