import { eventually } from "@petstore/test-kit/eventually";
import { expectExit, type Serving } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { parseMetrics } from "../support/metrics-text.ts";
import { test as base, type Petstore } from "../support/petstore.ts";

/** Two processes that share a port, and requests to that port. Each process has its own admin port. */
interface Pair {
  program: Petstore;
  servers: readonly [Serving, Serving];
  /** Sends a request on a new connection, which the operating system gives to one of the processes. */
  call: (path: string, body?: string, headers?: Record<string, string>) => ReturnType<Serving["call"]>;
}

const shared = { PETSTORE_REUSE_PORT: "on", PETSTORE_ADMIN_PORT: "0" };

const test = base.extend("startPair", ({ petstore, onPostgres }) => async (database: string): Promise<Pair> => {
  const program = database === "SQLite" ? petstore : onPostgres;
  const secret = await program.createKey();
  const one = await program.serve(shared);
  const other = await program.serve({ ...shared, PETSTORE_PORT: new URL(one.url).port });
  const call: Pair["call"] = (path, body, headers) => one.call(secret, path, body, { ...headers, Connection: "close" });
  return { program, servers: [one, other], call };
});

/** How many responses with this status each process has sent, by its own metrics. */
function countResponses({ servers }: Pair, status: number): Promise<number[]> {
  const labels = { http_response_status_code: String(status) };
  return Promise.all(
    servers.map(async (server) => {
      const metrics = parseMetrics((await server.ask("/metrics")).text);
      return metrics.value("http_server_request_duration_seconds_count", labels);
    }),
  );
}

/** Repeats a request until both processes have responded to it with this status. Returns all responses. */
async function untilBothSent<Response>(pair: Pair, status: number, send: () => Promise<Response>): Promise<Response[]> {
  const before = await countResponses(pair, status);
  const responses: Response[] = [];
  await eventually(async () => {
    responses.push(await send());
    const counts = await countResponses(pair, status);
    return counts.every((count, index) => count > (before[index] ?? 0));
  });
  return responses;
}

describe.for(["SQLite", "PostgreSQL"])("two processes on one port and %s", (database) => {
  test("201 and 200 from both, which share animals and idempotency keys, and 401 after a revocation", async ({
    startPair,
  }) => {
    const pair = await startPair(database);
    const { program, call } = pair;
    /** Sends a creation again while its key is in use. */
    const create = async (name: string) => {
      for (;;) {
        const body = JSON.stringify({ name, categoryId: 7 });
        const response = await call("/pets", body, { "Idempotency-Key": name });
        if (response.status !== 409) return response;
      }
    };

    const names = Array.from({ length: 60 }, (_, index) => `animal ${index}`);
    const created = await Promise.all(names.map(create));
    expect(created.map(({ status }) => status)).toEqual(names.map(() => 201));
    for (const count of await countResponses(pair, 201)) expect(count).toBeGreaterThan(0);

    const [first] = created;
    const repeated = await untilBothSent(pair, 201, () => create(names[0] ?? ""));
    expect(new Set(repeated.map(({ text }) => text))).toEqual(new Set([first?.text]));
    const together = await Promise.all(Array.from({ length: 10 }, () => create("sent by all at once")));
    expect(new Set(together.map(({ text }) => text)).size).toBe(1);

    const lists = await untilBothSent(pair, 200, () => call("/pets?limit=100"));
    const all = [...created, ...together.slice(0, 1)].map(({ text }) => JSON.parse(text) as { id: number });
    for (const { text } of lists) expect(JSON.parse(text)).toEqual(all.toSorted((a, b) => a.id - b.id));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);

    const { stdout } = await program.run("keys list");
    await expectExit(0, program.run(`keys revoke ${/key_\w+/.exec(stdout)?.[0]}`));
    await untilBothSent(pair, 401, () => call("/pets"));
  });

  test("200 for each request that a process reads while one of them stops", async ({ startPair }) => {
    const pair = await startPair(database);
    const [one, other] = pair.servers;
    const over = new AbortController();
    const statuses: number[] = [];
    const lost: string[] = [];
    async function sendRequests(client: string): Promise<void> {
      for (let count = 0; !over.signal.aborted; count++) {
        const id = `${client}${count}`;
        try {
          statuses.push((await pair.call("/pets", undefined, { "X-Request-Id": id })).status);
        } catch (error) {
          if (!(error instanceof TypeError)) throw error; // not of the network
          lost.push(id);
        }
      }
    }
    const clients = ["a", "b", "c", "d"].map(sendRequests);
    await eventually(async () => (await countResponses(pair, 200)).every((count) => count > 0));
    await expectExit(0, one.stop(), { stderr: "" });
    const enough = statuses.length + 20;
    await eventually(() => statuses.length >= enough);
    over.abort();
    await Promise.all(clients);

    expect(new Set(statuses)).toEqual(new Set([200]));
    // By default, Linux resets the connections that are waiting for the stopped process to accept them. It has read none of these.
    const log = one.stdout() + other.stdout();
    expect(lost.filter((id) => log.includes(`"requestId":"${id}"`))).toEqual([]);
  });
});

test("69 for a process without PETSTORE_REUSE_PORT on a port that another shares", async ({ petstore }) => {
  const { port } = new URL((await petstore.serve(shared)).url);
  await expectExit(69, petstore.start("serve", { PETSTORE_PORT: port }).ended, {
    stderr: `petstore-server: Port ${port} of 127.0.0.1 is in use. Set PETSTORE_PORT to another port, or to 0 for any free port.\n`,
  });
});

/** Makes Node reject `reusePort`, as it does on macOS and Windows. */
const unsupported = `
  import { Server } from "node:net";
  const { listen } = Server.prototype;
  Server.prototype.listen = function (options, ...rest) {
    if (!options.reusePort) return listen.call(this, options, ...rest);
    const error = Object.assign(new Error("listen ENOTSUP"), { code: "ENOTSUP" });
    setImmediate(() => this.emit("error", error));
    return this;
  };`;

test("69 and one line on an operating system without shared ports", async ({ petstore }) => {
  const environment = {
    PETSTORE_REUSE_PORT: "on",
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(unsupported)}`,
  };
  await expectExit(69, petstore.start("serve", environment).ended, {
    stdout: /"created"/, // the database comes first
    stderr:
      "petstore-server: This operating system cannot share a port between processes. Unset PETSTORE_REUSE_PORT.\n",
  });
});
