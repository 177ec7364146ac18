// Clients that cost little: connections that stay open, and send bytes that were made once.
import { once } from "node:events";
import { connect } from "node:net";

export interface Response {
  /** Of HTTP; or that the server closed the connection, or sent nothing for {@link patienceMs}. */
  status: number | "reset" | "missing";
  /** Milliseconds since the request was due. */
  ms: number;
  /** When it came, in milliseconds since the first request was due. */
  at: number;
}

export interface Clients extends Disposable {
  /** Each sends its next request when it has a response, until `isOver` is true. Resolves when all have their last one. */
  closedLoop(isOver: () => boolean): Promise<Response[]>;
  /** Sends requests at random times, whether or not there are responses to earlier ones. */
  openLoop(load: OpenLoopLoad): Promise<OpenLoop>;
}

export interface OpenLoopLoad {
  perSecond: number;
  seconds: number;
  /** Whether what is due while no connection is free is sent later. Otherwise it is never sent. */
  canWait: boolean;
  /** How to wait for what is due: a short pause is exact, and takes a core. */
  pause: () => Promise<unknown>;
}

export interface OpenLoop {
  responses: Response[];
  /** Requests for which no connection was free. */
  unsent: number;
}

const patienceMs = 5_000;

/** Opens connections, each of which has had one response. */
export async function openClients(port: number, request: string, count: number): Promise<Clients> {
  const clients = await Promise.all(Array.from({ length: count }, () => openClient(port, Buffer.from(request))));
  await Promise.all(clients.map((client) => client.ask()));

  return {
    async closedLoop(isOver) {
      const record = startRecord();
      await Promise.all(
        clients.map(async (client) => {
          while (!client.isClosed() && !isOver()) await record.ask(client, record.now());
        }),
      );
      return record.responses;
    },

    async openLoop({ perSecond, seconds, canWait, pause }) {
      const record = startRecord();
      const idle = [...clients];
      const underWay = new Set<Promise<void>>();
      async function send(client: Client, dueAt: number): Promise<void> {
        await record.ask(client, dueAt);
        if (!client.isClosed()) idle.push(client);
      }
      const hasToWait = () => canWait && idle.length === 0 && underWay.size > 0;
      let unsent = 0;
      for (const dueAt of arrivals(perSecond, seconds * 1000)) {
        while (dueAt > record.now() || hasToWait()) await pause();
        const client = idle.shift(); // the one that has been for the longest
        if (client === undefined) unsent++;
        else {
          const sending = send(client, dueAt).finally(() => underWay.delete(sending));
          underWay.add(sending);
        }
      }
      await Promise.all(underWay);
      return { responses: record.responses, unsent };
    },

    [Symbol.dispose]: () => clients.forEach((client) => client.close()),
  };
}

/** True when the time, which begins at the first call, is over. */
export function lasting(ms: number): () => boolean {
  let end: number | undefined;
  return () => performance.now() >= (end ??= performance.now() + ms);
}

/** A request as it goes over the wire. */
export function toRequest(line: string, apiKey: string, body = ""): string {
  const length = body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`];
  return [`${line} HTTP/1.1`, "Host: localhost", `Authorization: Bearer ${apiKey}`, ...length, "", body].join("\r\n");
}

function startRecord() {
  const responses: Response[] = [];
  const start = performance.now();
  const now = () => performance.now() - start;
  async function ask(client: Client, dueAt: number): Promise<void> {
    const status = await client.ask();
    const at = now();
    responses.push({ status, ms: at - dueAt, at });
  }
  return { responses, now, ask };
}

interface Client {
  /** Sends the request and resolves with the status of the response. */
  ask(): Promise<Response["status"]>;
  isClosed(): boolean;
  close(): void;
}

async function openClient(port: number, request: Buffer): Promise<Client> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true, timeout: patienceMs });
  let waiting: ((status: Response["status"]) => void) | undefined;
  let received: Buffer | undefined;
  function settle(status: Response["status"]): void {
    received = undefined;
    const resolve = waiting;
    waiting = undefined;
    resolve?.(status);
  }
  socket.on("data", (part: Buffer) => {
    received = received ? Buffer.concat([received, part]) : part;
    if (isWhole(received)) settle(Number(received.toString("latin1", "HTTP/1.1 ".length, "HTTP/1.1 200".length)));
  });
  socket.on("timeout", () => {
    if (waiting === undefined) return;
    settle("missing");
    socket.destroy();
  });
  await once(socket, "connect");
  socket.on("error", () => {}); // "close" follows
  socket.on("close", () => settle("reset"));
  return {
    ask() {
      const { promise, resolve } = Promise.withResolvers<Response["status"]>();
      waiting = resolve;
      if (socket.closed) settle("reset");
      else socket.write(request);
      return promise;
    },
    isClosed: () => socket.destroyed,
    close: () => socket.destroy(),
  };
}

function isWhole(response: Buffer): boolean {
  const end = response.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const length = /^content-length: (\d+)/im.exec(response.toString("latin1", 0, end))?.[1];
  return response.length >= end + 4 + Number(length);
}

/** When requests are due, in milliseconds: as from many clients that know nothing of each other. */
function arrivals(perSecond: number, untilMs: number): number[] {
  const due: number[] = [];
  for (let at = 0; at < untilMs; at -= (Math.log(1 - Math.random()) / perSecond) * 1000) due.push(at);
  return due;
}
