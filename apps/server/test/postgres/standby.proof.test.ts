import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import {
  startPostgresServer,
  startStandby,
  type PostgresServer,
} from "@petstore/test-postgres/postgres-server";
import { expectExit } from "@petstore/test-servers/processes";
import { afterAll, beforeAll, expect } from "vitest";
import { test } from "../support/petstore.ts";
import { createDatabase, runSql, sessionIds } from "../support/postgres-database.ts";
import { startRelay } from "../support/relay.ts";
import {
  animal,
  expectUnavailable,
  startServiceOn,
  untilServed,
} from "../support/service-on-postgres.ts";
import { openPostgresStore } from "../support/stores.ts";

let primary: PostgresServer;
let standby: PostgresServer;
/** The addresses of a database on the primary and the standby. */
let urls: { primary: string; standby: string };

beforeAll(async () => {
  primary = await startPostgresServer();
  const { name, url } = await createDatabase(primary.url);
  await openPostgresStore(url).then((store) => store.close());
  standby = await startStandby(primary);
  urls = { primary: url, standby: `${standby.url}/${name}` };
});

afterAll(async () => {
  await standby[Symbol.asyncDispose]();
  await primary[Symbol.asyncDispose]();
});

/** The address of the database on these hosts. */
function onHosts(...hosts: string[]): string {
  return urls.primary.replace(/(?<=@)[^/]+/, hosts.join(","));
}

const hostOf = (url: string) => new URL(url).host;
const portOf = (url: string) => Number(new URL(url).port);

test("69 and one line of commands on a standby, and 1 of doctor", async ({ petstore }) => {
  const onStandby = petstore.on(urls.standby);
  const message = "no connection to the database: the server is read-only";
  for (const command of ["serve", "migrate", "keys list"])
    await expectExit(69, onStandby.run(command), { stderr: `petstore-server: ${message}\n` });
  expect((await onStandby.run("doctor")).stdout).toBe(`problem: ${message}\n`);
});

test("200 from the primary, where the standby is first", async () => {
  await using server = await startServiceOn(onHosts(hostOf(urls.standby), hostOf(urls.primary)));
  expect((await server.call("/pets")).status).toBe(200);
  // Once earlier services have left.
  const sessions = async () => ({
    primary: await sessionIds(urls.primary),
    standby: await sessionIds(urls.standby),
  });
  await expect.poll(sessions).toEqual({ primary: [expect.any(Number)], standby: [] });
});

test("201 from the second server when the first does not respond, which is not tried again", async () => {
  let connections = 0;
  await using silent = createServer((socket) => {
    connections++;
    socket.on("error", () => {}).resume(); // reads, and never responds
  }).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const url = onHosts(`127.0.0.1:${port}`, hostOf(urls.primary));
  await using server = await startServiceOn(url, 4, { firstConnect: 5_000, connect: 2_000 });
  for (let count = 0; count < 20; count++)
    expect((await server.call("/pets", { body: animal })).status).toBe(201);
  expect(connections).toBe(1);
});

test("503 while no server accepts writes, and 200 and 201 once the standby is promoted, with one host and with several", async () => {
  let port = portOf(urls.primary);
  await using relay = await startRelay(() => port);
  await using one = await startServiceOn(onHosts(`127.0.0.1:${relay.port}`));
  await using several = await startServiceOn(onHosts(hostOf(urls.primary), hostOf(urls.standby)));
  const servers = [one, several];
  for (const server of servers)
    expect((await server.call("/pets", { body: animal })).status).toBe(201);

  await primary.stop("fast");
  port = portOf(urls.standby);
  for (const server of servers) {
    await expectUnavailable(server, "/pets", { body: animal });
    await expectUnavailable(server, "/pets");
    const { reason } = server.logs.findLast(({ msg }) => msg === "store unavailable") ?? {};
    expect(reason).toContain("the server is read-only");
  }
  await runSql(`${standby.url}/postgres`, "SELECT pg_promote()");
  for (const server of servers) await untilServed(server);
});
