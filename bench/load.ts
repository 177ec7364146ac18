// Clients that cost little: sockets that send bytes which were made once.
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export interface Load {
  port: number;
  /** One request, as bytes. */
  request: Buffer;
  /** The CPU time that the server has used, in seconds. */
  cpuSeconds(): number;
  seconds: number;
}

/** What came of the requests that were due within the time. */
export interface Outcome {
  servedPerSecond: number;
  refusedPerSecond: number;
  /** The share of one core that the server had. */
  cpuShare: number;
  /** Milliseconds until each response, from when its request was due; sorted. */
  served: number[];
  refused: number[];
  /** Requests that got no response within {@link patienceMs}. */
  late: number;
  /** Connections that the server ended. */
  reset: number;
  /** Requests for which no connection was free. */
  unsent: number;
}

/** How long a client waits. */
const patienceMs = 1_000;

/** Each connection sends its next request when it has the response. */
export async function closedLoop(load: Load, connections: number): Promise<Outcome> {
  const tally = new Tally(load);
  const clients = await openClients(load, connections, tally, (client) => {
    if (!tally.isOver) client.send(performance.now());
  });
  tally.begin();
  for (const client of clients) client.send(performance.now());
  return await tally.end(clients);
}

/** Sends `rate` requests a second, whether responses come or not, as long as there are connections to send them on. */
export async function openLoop(load: Load, connections: number, rate: number): Promise<Outcome> {
  const tally = new Tally(load);
  const idle: Client[] = [];
  const clients = await openClients(load, connections, tally, (client) => idle.push(client));
  let next = 0; // of those that are idle: the one that has been for the longest
  idle.push(...clients);
  const startedAt = tally.begin();
  for (let due = 0; !tally.isOver; await sleep(1)) {
    for (; due < ((performance.now() - startedAt) / 1000) * rate; due++) {
      const client = idle[next];
      if (client === undefined) tally.unsent++;
      else {
        client.send(startedAt + (due / rate) * 1000);
        next++;
      }
    }
    idle.splice(0, next);
    next = 0;
  }
  return await tally.end(clients);
}

function ascending(times: readonly number[]): number[] {
  return times.toSorted((left, right) => left - right);
}

class Tally {
  isOver = false;
  late = 0;
  reset = 0;
  unsent = 0;
  readonly #load: Load;
  #cpuSeconds = 0;
  readonly #served: number[] = [];
  readonly #refused: number[] = [];

  constructor(load: Load) {
    this.#load = load;
  }

  begin(): number {
    const { seconds } = this.#load;
    const before = this.#load.cpuSeconds();
    setTimeout(() => {
      this.isOver = true;
      this.#cpuSeconds = this.#load.cpuSeconds() - before;
    }, seconds * 1000);
    return performance.now();
  }

  count(head: string, ms: number): void {
    const status = head.slice(9, 12);
    if (ms > patienceMs) this.late++;
    else if (status.startsWith("20")) this.#served.push(ms);
    else if (status === "503") this.#refused.push(ms);
    else throw new Error(head);
  }

  /** Waits for the end, and then for the responses that are still due. */
  async end(clients: readonly Client[]): Promise<Outcome> {
    while (!this.isOver) await sleep(10);
    const inTime = this.#served.length; // what is served later was no throughput of this time
    await sleep(patienceMs);
    for (const client of clients) client.close();
    const { seconds } = this.#load;
    return {
      servedPerSecond: inTime / seconds,
      refusedPerSecond: this.#refused.length / seconds,
      cpuShare: this.#cpuSeconds / seconds,
      served: ascending(this.#served),
      refused: ascending(this.#refused),
      late: this.late,
      reset: this.reset,
      unsent: this.unsent,
    };
  }
}

interface Client {
  /** @param dueAt when the request should have been sent */
  send(dueAt: number): void;
  /** Counts a request that has no response as late. */
  close(): void;
}

function openClients({ port, request }: Load, count: number, tally: Tally, onResponse: (client: Client) => void) {
  return Promise.all(Array.from({ length: count }, open));

  async function open(): Promise<Client> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let dueAt: number | undefined;
    let left = 0; // of a response that has come in part
    let head: Buffer | undefined;
    let isClosed = false;
    const client: Client = {
      send(due) {
        dueAt = due;
        socket.write(request);
      },
      close() {
        isClosed = true;
        if (dueAt !== undefined) tally.late++;
        socket.destroy();
      },
    };
    socket.on("error", () => {});
    socket.on("close", () => {
      if (isClosed) return;
      tally.reset++;
      dueAt = undefined;
    });
    socket.on("data", (part) => {
      if (left > 0) left -= part.length;
      else {
        head = head ? Buffer.concat([head, part]) : part;
        const missing = bytesMissing(head);
        if (missing === undefined) return;
        left = missing;
      }
      if (left > 0 || head === undefined || dueAt === undefined) return;
      const response = head.toString("latin1", 0, 12);
      const ms = performance.now() - dueAt;
      head = undefined;
      dueAt = undefined;
      tally.count(response, ms);
      onResponse(client);
    });
    await once(socket, "connect");
    return client;
  }
}

/** Of a response that has begun like this; `undefined` when that is not known yet. */
function bytesMissing(bytes: Buffer): number | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const length = /\ncontent-length: (\d+)/i.exec(bytes.toString("latin1", 0, end))?.[1];
  return end + 4 + Number(length) - bytes.length;
}
