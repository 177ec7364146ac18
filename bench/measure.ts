// The requests to every server, and their cost.
import { openClients, toRequest } from "./clients.ts";
import { quantile } from "./report.ts";
import type { Server } from "./servers.ts";

const clientCount = 64;

/** Requests by name. All servers send equal responses, apart from the id of a new animal. */
export const benchRequests = {
  list20: ["GET /v1/pets?limit=20", ""],
  list100: ["GET /v1/pets?limit=100", ""],
  get: ["GET /v1/pets/50000", ""],
  create: ["POST /v1/pets", JSON.stringify({ name: "Rex", categoryId: 3 })],
} as const;

export type RequestName = keyof typeof benchRequests;

export function requestFor(name: RequestName, apiKey: string): string {
  return toRequest(benchRequests[name][0], apiKey, benchRequests[name][1]);
}

/** The measurements of every round, by server and then by request. */
export type Measured<Name extends string, Each> = ReadonlyMap<string, Readonly<Record<Name, readonly Each[]>>>;

/** Measures every server before the next round begins, so that other load on the machine affects all of them. */
export async function inTurn<Name extends RequestName, Each>(
  servers: readonly Server[],
  names: readonly Name[],
  rounds: number,
  measure: (server: Server, name: Name) => Promise<Each>,
): Promise<Measured<Name, Each>> {
  const empty = () => Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Each[]>;
  const measured = new Map(servers.map(({ name }) => [name, empty()]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      for (const server of servers) measured.get(server.name)?.[name].push(await measure(server, name));
    }
  }
  return measured;
}

export interface Cost {
  /** Microseconds of CPU time per response. */
  cpu: number;
  /** Responses per second. */
  rate: number;
  /** The share of requests rejected with 503. Their CPU time is included in the cost of the others. */
  rejected: number;
}

/** Sends requests as fast as possible. Every response must have the status, or 503 for overload. */
export async function measureCost(
  { name, port, cpuTime }: Server,
  request: string,
  { isOver, status = 200, count = clientCount }: { isOver: () => boolean; status?: number; count?: number },
): Promise<Cost> {
  using clients = await openClients(port, request, count);
  const start = performance.now();
  const before = cpuTime();
  const responses = await clients.closedLoop(isOver);
  const used = cpuTime() - before;
  const seconds = (performance.now() - start) / 1000;
  const wrong = responses.find((each) => each.status !== status && each.status !== 503);
  if (wrong !== undefined) throw new Error(`${name}: ${wrong.status}, not ${status}, to ${request}`);
  const served = responses.filter((each) => each.status === status).length;
  return { cpu: used / served, rate: served / seconds, rejected: 1 - served / responses.length };
}

export interface Latency {
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** Sends requests when they are due, even if the server cannot keep up. The clients need their own core. */
export async function measureLatency(
  { port }: Server,
  request: string,
  perSecond: number,
  seconds: number,
): Promise<Latency> {
  using clients = await openClients(port, request, clientCount);
  const { responses, unsent } = await clients.openLoop({
    perSecond,
    seconds,
    canWait: true,
    pause: () => new Promise(setImmediate),
  });
  const latencies = responses.map(({ status, ms }) => (typeof status === "number" ? ms : Infinity));
  latencies.push(...Array.from({ length: unsent }, () => Infinity));
  return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
}

/** Compares status and body of the servers' responses, byte for byte. @throws if two differ */
export async function checkResponses(servers: readonly Server[], apiKey: string): Promise<void> {
  for (const [line, body] of Object.values(benchRequests)) {
    const [method = "", path = ""] = line.split(" ");
    const headers = { Authorization: `Bearer ${apiKey}`, ...(body && { "Content-Type": "application/json" }) };
    const responses = await Promise.all(
      servers.map(async ({ name, port }) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body && { body }) });
        const text = `${response.status} ${await response.text()}`;
        return { name, text: method === "POST" ? text.replace(/"id":\d+/, '"id":…') : text };
      }),
    );
    const [first, ...others] = responses;
    const other = others.find(({ text }) => text !== first?.text);
    if (other) throw new Error(`${line} differs:\n${first?.name}: ${first?.text}\n${other.name}: ${other.text}`);
  }
}
