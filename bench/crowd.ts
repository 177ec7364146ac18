// Clients that send as fast as they get responses, and clients that send when they want to.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { isWhole } from "./http-text.ts";

export interface Crowd extends Disposable {
  /** Every client sends its next request when it has a response, until `isOver` is true. Returns how often each status came. */
  askUntil(isOver: () => boolean): Promise<Map<number, number>>;
  /** Sends so many requests a second at random times, however many wait. Returns milliseconds from when each was due. */
  askAtRate(perSecond: number, seconds: number): Promise<number[]>;
}

/** Opens connections, each of which has had one response. */
export async function openCrowd(port: number, request: string, clients: number): Promise<Crowd> {
  const connections = await Promise.all(Array.from({ length: clients }, () => openConnection(port, request)));
  await Promise.all(connections.map((ask) => ask()));
  return {
    async askUntil(isOver) {
      const statuses = new Map<number, number>();
      await Promise.all(
        connections.map(async (ask) => {
          while (!isOver()) {
            const status = await ask();
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
          }
        }),
      );
      return statuses;
    },

    async askAtRate(perSecond, seconds) {
      const due = arrivals(perSecond, seconds);
      const idle = [...connections];
      const latencies: number[] = [];
      let failure: unknown;
      const start = performance.now();
      async function send(ask: Connection, dueAt: number): Promise<void> {
        await ask();
        latencies.push(performance.now() - start - dueAt);
        idle.push(ask);
      }
      for (let next = 0; latencies.length < due.length;) {
        for (let dueAt = due[next]; dueAt !== undefined && dueAt <= performance.now() - start; dueAt = due[next]) {
          const ask = idle.pop();
          if (ask === undefined) break;
          next++;
          send(ask, dueAt).catch((error: unknown) => (failure = error));
        }
        await new Promise(setImmediate);
        if (failure !== undefined) throw failure;
      }
      return latencies;
    },

    [Symbol.dispose]: () => connections.forEach((ask) => ask.socket.destroy()),
  };
}

type Connection = (() => Promise<number>) & { socket: Socket };

/** A function that sends the request and resolves with the status of the response. */
async function openConnection(port: number, request: string): Promise<Connection> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  let received = "";
  let waiting: PromiseWithResolvers<number> | undefined;
  socket.setEncoding("latin1").on("data", (text: string) => {
    received += text;
    if (!isWhole(received)) return;
    const status = Number(received.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
    received = "";
    waiting?.resolve(status);
  });
  socket.on("error", (error) => waiting?.reject(error));
  socket.on("close", () => waiting?.reject(new Error(`The server closed a connection: ${received}`)));
  const ask = () => {
    waiting = Promise.withResolvers<number>();
    socket.write(request);
    return waiting.promise;
  };
  return Object.assign(ask, { socket });
}

/** When requests are due, in milliseconds: as from many clients that know nothing of each other. */
function arrivals(perSecond: number, seconds: number): number[] {
  const due: number[] = [];
  for (let at = 0; at < seconds * 1000; at -= (Math.log(1 - Math.random()) / perSecond) * 1000) due.push(at);
  return due;
}
