// Prints the overhead of a call of the built client over `fetch` and `response.json()`. See README.md.
import { spawn } from "node:child_process";
import { once } from "node:events";
import type * as petstoreClient from "@petstore/client";
import { spread } from "./report.ts";

const rounds = 41;
const callsPerRound = 500;
const warmUpRounds = 8;

const built = new URL("../packages/client/dist/index.js", import.meta.url).href;
const { createPetstoreClient } = (await import(built)) as typeof petstoreClient;

// A separate process that sends the same bytes to every request.
const server = spawn(process.execPath, [
  "--eval",
  `const body = JSON.stringify({ id: 7, name: "Bella", categoryId: 1, status: "available" });
   const headers = { "Content-Type": "application/json", "Content-Length": body.length, "X-Request-Id": "bench" };
   const server = require("node:http").createServer((req, res) => res.writeHead(200, headers).end(body));
   server.listen(0, "127.0.0.1", () => console.log(server.address().port));`,
]);
const [port] = (await once(server.stdout, "data")) as [Buffer];
const baseUrl = `http://127.0.0.1:${Number(port)}/v1`;
const apiKey = "pst_test_0";
const client = createPetstoreClient({ baseUrl, apiKey });

const calls = {
  fetch: async () => {
    const response = await fetch(`${baseUrl}/pets/7`, { headers: { Authorization: `Bearer ${apiKey}` } });
    return (await response.json()) as { id: number };
  },
  client: () => client.getPet(7),
};

const names = Object.keys(calls) as (keyof typeof calls)[];
const measured = { cpu: { fetch: [0], client: [0] }, wall: { fetch: [0], client: [0] } };
for (let round = -warmUpRounds; round < rounds; round++) {
  if (round === 0) for (const each of Object.values(measured)) for (const name of names) each[name] = [];
  // In turn, so that other load on the machine affects both.
  for (const name of names) {
    const startedAt = performance.now();
    const before = process.threadCpuUsage();
    for (let index = 0; index < callsPerRound; index++) await calls[name]();
    const { user, system } = process.threadCpuUsage(before);
    measured.wall[name].push(((performance.now() - startedAt) * 1000) / callsPerRound);
    measured.cpu[name].push((user + system) / callsPerRound);
  }
}
server.kill();

for (const [title, { fetch, client: total }] of [
  ["CPU time of a call", measured.cpu],
  ["time of a call", measured.wall],
] as const) {
  const overhead = total.map((each, index) => each - (fetch[index] ?? Number.NaN));
  process.stdout.write(
    `${title.padEnd(20)} fetch ${spread(fetch)}   client ${spread(total)}   overhead ${spread(overhead)} µs\n`,
  );
}
