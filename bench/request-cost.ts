// Prints what a request costs the serving process in CPU time, for each target in turn. See README.md.
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { isWhole, toRequest } from "./http-text.ts";

const rounds = 5;
const requestsPerRound = 10_000;
const connections = 8;

const newPet = JSON.stringify({ name: "Rex", categoryId: 3 });

const requests = {
  "GET /pets/7": { line: "GET /v1/pets/7", body: "" },
  "GET /pets (20 animals)": { line: "GET /v1/pets", body: "" },
  "POST /pets": { line: "POST /v1/pets", body: newPet },
};

const targets = ["plain", "memory", "sqlite"];

for (const [name, { line, body }] of Object.entries(requests)) {
  const measured = new Map<string, number[]>(targets.map((target) => [target, []]));
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) measured.get(target)?.push(await measure(target, line, body));
  }
  const plain = median(measured.get("plain") ?? []);
  const cells = targets.map((target) => {
    const cost = median(measured.get(target) ?? []);
    return `${target} ${cost.toFixed(1)} µs (${(cost / plain).toFixed(2)})`;
  });
  process.stdout.write(`${name.padEnd(24)} ${cells.join("   ")}\n`);
}

/** Microseconds of CPU time per request, after a warm-up of half as many. */
async function measure(target: string, line: string, body: string): Promise<number> {
  const child = fork(new URL("target.ts", import.meta.url), [target], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [{ port, apiKey }] = (await once(child, "message")) as [{ port: number; apiKey: string }];
  const request = toRequest(line, apiKey, body);

  await load(port, request, requestsPerRound / 2);
  const before = await cpuTime(child);
  await load(port, request, requestsPerRound);
  const used = (await cpuTime(child)) - before;
  child.disconnect();
  return used / requestsPerRound;
}

/** Sends `count` requests in all, each connection its next one when it has the whole answer. */
async function load(port: number, request: string, count: number): Promise<void> {
  let left = count;
  await Promise.all(Array.from({ length: connections }, () => new Promise<void>(sendAll)));

  function sendAll(resolve: () => void, reject: (reason: Error) => void): void {
    let received = "";
    const socket = connect(port, "127.0.0.1", sendNext);
    socket.on("error", reject);
    socket.on("close", resolve);
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (!isWhole(received)) return;
      if (!received.startsWith("HTTP/1.1 20")) reject(new Error(received));
      received = "";
      sendNext();
    });

    function sendNext(): void {
      if (left-- > 0) socket.write(request);
      else socket.destroy();
    }
  }
}

async function cpuTime(child: ChildProcess): Promise<number> {
  child.send("cpu");
  const [{ user, system }] = (await once(child, "message")) as [NodeJS.CpuUsage];
  return user + system;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? NaN;
}
