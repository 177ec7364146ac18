import { eventually } from "@petstore/test-kit/eventually";
import { expectExit, type Serving } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { parseMetrics } from "../support/metrics-text.ts";
import { test } from "../support/petstore.ts";

const shared = { PETSTORE_REUSE_PORT: "on", PETSTORE_ADMIN_PORT: "0" };

/** How many requests a process has answered with 200, by its own metrics. */
async function countAnswered(server: Serving): Promise<number> {
  const metrics = parseMetrics((await server.ask("/metrics")).text);
  return metrics.value("http_server_request_duration_seconds_count", { http_response_status_code: "200" });
}

test("200 from both processes on one port, and for each request that a process reads while one of them stops; 69 from one that does not share it", async ({
  petstore,
}) => {
  const secret = await petstore.createKey();
  await using one = await petstore.serve(shared);
  const { port } = new URL(one.url);
  await expectExit(69, petstore.start("serve", { PETSTORE_PORT: port }).ended, {
    stderr: `petstore-server: Port ${port} of 127.0.0.1 is in use. Set PETSTORE_PORT to another port, or to 0 for any free port.\n`,
  });
  await using other = await petstore.serve({ ...shared, PETSTORE_PORT: port });
  const over = new AbortController();
  const statuses: number[] = [];
  const lost: string[] = [];
  /** Sends each request on a new connection, which the operating system gives to one of the processes. */
  async function sendRequests(client: string): Promise<void> {
    for (let count = 0; !over.signal.aborted; count++) {
      const id = `${client}${count}`;
      try {
        const headers = { "X-Request-Id": id, Connection: "close" };
        statuses.push((await one.call(secret, "/pets", undefined, headers)).status);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error; // not of the network
        lost.push(id);
      }
    }
  }
  const clients = ["a", "b", "c", "d"].map(sendRequests);
  await eventually(async () => (await Promise.all([one, other].map(countAnswered))).every((count) => count > 0));
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
    stdout: /"created":"\/\S+\/petstore\.db","msg":"the database was missing or empty/, // it comes first
    stderr:
      "petstore-server: This operating system cannot share a port between processes. Unset PETSTORE_REUSE_PORT.\n",
  });
});
