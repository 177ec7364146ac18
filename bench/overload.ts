// Prints how much of its goodput the service keeps under three times the load that it can serve, on PostgreSQL. See README.md.
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgresServer } from "@petstore/test-kit/postgres-server";
import { isWhole, toRequest } from "./http-text.ts";

const seconds = 5;
const rounds = 2;
/** Connections that send their next request when they have the answer, to find out what the service can serve. */
const closedConnections = 40;
/** The most connections of clients that do not wait for answers. */
const openConnections = 2_000;

interface Outcome {
  /** Per second. */
  goodput: number;
  refused: number;
  /** Milliseconds until a refusal, of the slowest but one in a hundred. */
  refusalMs: number;
}

const newPet = JSON.stringify({ name: "Rex", categoryId: 3 });
const requests = { "GET /pets": ["GET /v1/pets?limit=1", ""], "POST /pets": ["POST /v1/pets", newPet] } as const;

await using postgres = await startPostgresServer();
const server = fork(new URL("target.ts", import.meta.url), [`${postgres.url}/postgres`], {
  stdio: ["ignore", "ignore", "inherit", "ipc"],
});
const [{ port, apiKey }] = (await once(server, "message")) as [{ port: number; apiKey: string }];

for (const [name, [line, body]] of Object.entries(requests)) {
  const request = toRequest(line, apiKey, body);
  await closedLoop(request, closedConnections); // a warm-up
  for (let round = 0; round < rounds; round++) {
    const most = await closedLoop(request, closedConnections);
    const crowd = await closedLoop(request, closedConnections * 3);
    const flood = await openLoop(request, most.goodput * 3);
    process.stdout.write(
      `${name.padEnd(12)} at most ${most.goodput.toFixed(0)}/s   ${closedConnections * 3} connections: ${describe(crowd, most)}   ` +
        `${(most.goodput * 3).toFixed(0)} requests/s: ${describe(flood, most)}\n`,
    );
  }
}
server.disconnect();

function describe({ goodput, refused, refusalMs }: Outcome, most: Outcome): string {
  const share = `${((goodput / most.goodput) * 100).toFixed(0)} % served`;
  return refused === 0 ? share : `${share}, ${refused.toFixed(0)}/s refused within ${refusalMs.toFixed(0)} ms`;
}

/** Counts answers by what they are. Those after the end do not count. */
function createTally() {
  const end = performance.now() + seconds * 1000;
  const refusals: number[] = [];
  let served = 0;
  return {
    isOver: () => performance.now() >= end,
    count(answer: string, ms: number): void {
      if (performance.now() >= end) return;
      if (answer.startsWith("HTTP/1.1 20")) served++;
      else if (answer.startsWith("HTTP/1.1 503")) refusals.push(ms);
      else throw new Error(answer);
    },
    outcome(): Outcome {
      const sorted = refusals.toSorted((left, right) => left - right);
      const refusalMs = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
      return { goodput: served / seconds, refused: refusals.length / seconds, refusalMs };
    },
  };
}

/** Each connection sends its next request when it has the answer. */
async function closedLoop(request: string, connections: number): Promise<Outcome> {
  const tally = createTally();
  const clients = await Promise.all(Array.from({ length: connections }, () => openClient(request)));
  await Promise.all(
    clients.map(async (client) => {
      while (!tally.isOver()) tally.count(...(await client.ask()));
      client.close();
    }),
  );
  return tally.outcome();
}

/** Sends `rate` requests a second, whether answers come or not, as long as there are connections to send them on. */
async function openLoop(request: string, rate: number): Promise<Outcome> {
  const tally = createTally();
  const idle = await Promise.all(Array.from({ length: openConnections }, () => openClient(request)));
  const clients = [...idle];
  async function askOnce(client: Client): Promise<void> {
    tally.count(...(await client.ask()));
    idle.push(client);
  }
  const startedAt = performance.now();
  let sent = 0;
  while (!tally.isOver()) {
    const due = ((performance.now() - startedAt) / 1000) * rate;
    for (; sent < due && idle.length > 0; sent++) {
      const client = idle.pop();
      if (client) void askOnce(client);
    }
    sent = Math.max(sent, Math.floor(due)); // who finds no connection goes away
    await sleep(1);
  }
  for (const client of clients) client.close();
  return tally.outcome();
}

interface Client {
  ask(): Promise<[answer: string, ms: number]>;
  close(): void;
}

async function openClient(request: string): Promise<Client> {
  const socket: Socket = connect(port, "127.0.0.1").setEncoding("latin1");
  socket.on("error", () => {});
  await once(socket, "connect");
  let received = "";
  let answered: (() => void) | undefined;
  socket.on("data", (part: string) => {
    received += part;
    if (isWhole(received)) answered?.();
  });
  return {
    ask() {
      received = "";
      const askedAt = performance.now();
      socket.write(request);
      return new Promise((resolve) => (answered = () => resolve([received, performance.now() - askedAt])));
    },
    close: () => void socket.destroy(),
  };
}
