import { openCrowd } from "./crowd.ts";
// What is asked of every server, and what it costs.
import { toRequest } from "./http-text.ts";
import type { Server } from "./servers.ts";

const clients = 64;

/** What is asked for, by name. Every server responds alike, but for the id of a new animal. */
export const asked = {
  list20: ["GET /v1/pets?limit=20", ""],
  list100: ["GET /v1/pets?limit=100", ""],
  get: ["GET /v1/pets/50000", ""],
  create: ["POST /v1/pets", JSON.stringify({ name: "Rex", categoryId: 3 })],
} as const;

export type Asked = keyof typeof asked;

export function requestFor(name: Asked, apiKey: string): string {
  return toRequest(asked[name][0], apiKey, asked[name][1]);
}

/** By server, then by what was asked: what every round measured. */
export type Measured<Name extends string, Each> = ReadonlyMap<string, Readonly<Record<Name, readonly Each[]>>>;

/** Measures every server before the next round begins, so that what disturbs the machine disturbs all. */
export async function inTurn<Name extends Asked, Each>(
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
  /** The share of requests that were refused with 503. Their CPU time is a part of what the others cost. */
  refused: number;
}

/** True when the time, which begins at the first call, is over. */
export function lasting(ms: number): () => boolean {
  let end: number | undefined;
  return () => performance.now() >= (end ??= performance.now() + ms);
}

/** Lets clients ask as fast as they can. Every response must have the status, unless the server says that it is overloaded. */
export async function measureCost(
  { name, port, cpuTime }: Server,
  request: string,
  { isOver, status = 200, crowd: size = clients }: { isOver: () => boolean; status?: number; crowd?: number },
): Promise<Cost> {
  using crowd = await openCrowd(port, request, size);
  const start = performance.now();
  const before = cpuTime();
  const statuses = await crowd.askUntil(isOver);
  const used = cpuTime() - before;
  const seconds = (performance.now() - start) / 1000;
  const wrong = [...statuses.keys()].find((each) => each !== status && each !== 503);
  if (wrong !== undefined) throw new Error(`${name} responds ${wrong}, not ${status}, to ${request}`);
  const [served, refused] = [statuses.get(status) ?? 0, statuses.get(503) ?? 0];
  return { cpu: used / served, rate: served / seconds, refused: refused / (served + refused) };
}

export interface Latency {
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** Sends requests when they are due, whether or not the server keeps up. */
export async function measureLatency(
  { port }: Server,
  request: string,
  perSecond: number,
  seconds: number,
): Promise<Latency> {
  using crowd = await openCrowd(port, request, clients);
  const latencies = await crowd.askAtRate(perSecond, seconds);
  const sorted = latencies.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Compares status and body of what the servers respond, byte for byte. @throws when two differ */
export async function checkResponses(servers: readonly Server[], apiKey: string): Promise<void> {
  for (const [line, body] of Object.values(asked)) {
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
