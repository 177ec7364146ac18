import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { startPostgresServer, startStandby, type PostgresServer } from "@petstore/test-postgres/postgres-server";
import { expectExit } from "@petstore/test-servers/processes";
import { afterAll, beforeAll, expect } from "vitest";
import { test } from "../support/petstore.ts";
import { createDatabase, runSql, sessionIds } from "../support/postgres-database.ts";
import { animal, expectUnavailable, issueUnseenKey, startServiceOn } from "../support/service-on-postgres.ts";
import { startServer, type TestServer } from "../support/start-server.ts";
import { openPostgresStore } from "../support/stores.ts";

/** The service on a database in which it cannot store a key. */
async function startServiceOnStandby(url = urls.standby): Promise<TestServer> {
  const store = await openPostgresStore(url);
  return await startServer({ store: { ...store, createKey: async () => {} } });
}

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

test("200 on a standby for animals created on the primary, and 503 for creations, which are not stored", async () => {
  await using server = await startServiceOnStandby();
  await using writer = await startServiceOn(urls.primary);
  const { secret: apiKey } = await issueUnseenKey(writer);
  const created = await writer.call("/pets", { body: animal, apiKey });
  const { id } = created.body as { id: number };
  await expect.poll(() => server.call(`/pets/${id}`, { apiKey })).toMatchObject({ status: 200, text: created.text });

  for (const headers of [{}, { "Idempotency-Key": "one" }]) {
    await expectUnavailable(server, "/pets", { body: animal, apiKey, headers });
  }
  expect(server.logs.find(({ msg }) => msg === "store unavailable")).toMatchObject({
    level: 40,
    reason: expect.stringMatching(/^the database is read-only, as a standby or by its settings: /),
  });
  expect((await writer.call("/pets", { apiKey })).body).toHaveLength(1);
  await server.store.ping();
});

test("exit 0 of a server on a standby with an up-to-date schema, and 69 with one line for a missing one, or if it must accept writes", async ({
  petstore,
}) => {
  const onStandby = petstore.on(urls.standby);
  await expectExit(0, onStandby.run("migrate"), { stderr: "" });
  {
    await using server = await onStandby.serve({ PETSTORE_ADMIN_PORT: "0" });
    expect((await server.ask("/readyz")).status).toBe(200);
    expect(await server.stop()).toMatchObject({ exitCode: 0, stderr: "" });
  }
  const { stdout } = await onStandby.run("doctor");
  expect(stdout).toContain("the server is a standby, so writes get 503");

  const { name } = await createDatabase(primary.url);
  await expect
    .poll(() => runSql(`${standby.url}/postgres`, `SELECT FROM pg_database WHERE datname = '${name}'`))
    .toHaveLength(1);
  const stderr =
    /^petstore-server: The schema is not up to date \(.*\): run petstore-server migrate on its primary first\n$/;
  await expectExit(69, petstore.on(`${standby.url}/${name}`).run("serve"), { stderr });
  await expectExit(69, petstore.on(`${urls.standby}?target_session_attrs=read-write`).run("migrate"), {
    stderr: "petstore-server: no connection to the database: the server is read-only\n",
  });
});

test.for([
  ["", "primary"],
  ["any", "standby"],
  ["read-write", "primary"],
] as const)("200 with target_session_attrs=%s from the %s, where the standby is first", async ([attributes, role]) => {
  const hosts = [urls.standby, urls.primary].map((url) => new URL(url).host);
  const url = urls.primary.replace(/(?<=@)[^/]+/, hosts.join(","));
  await using server = await startServiceOnStandby(`${url}${attributes && `?target_session_attrs=${attributes}`}`);
  await server.store.ping();
  // Once earlier services have left.
  const sessions = async () => ({ primary: await sessionIds(urls.primary), standby: await sessionIds(urls.standby) });
  await expect.poll(sessions).toEqual({ primary: [], standby: [], [role]: [expect.any(Number)] });
});

test("201 from the second server when the first does not respond, which is not tried again", async () => {
  let connections = 0;
  await using silent = createServer((socket) => {
    connections++;
    socket.on("error", () => {}).resume(); // reads, and never responds
  }).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const url = urls.primary.replace(/(?<=@)[^/]+/, `127.0.0.1:${port},${new URL(urls.primary).host}`);
  await using server = await startServiceOn(url, 4, { firstConnect: 5_000, connect: 2_000 });
  for (let count = 0; count < 20; count++) expect((await server.call("/pets", { body: animal })).status).toBe(201);
  expect(connections).toBe(1);
});

test("201 soon after the standby is promoted", async () => {
  await using server = await startServiceOnStandby();
  await using writer = await startServiceOn(urls.primary);
  const { secret: apiKey } = await issueUnseenKey(writer);
  await expect.poll(() => server.call("/pets", { apiKey })).toMatchObject({ status: 200 });
  await expectUnavailable(server, "/pets", { body: animal, apiKey });
  await runSql(`${standby.url}/postgres`, "SELECT pg_promote()");
  await expect.poll(() => server.call("/pets", { body: animal, apiKey })).toMatchObject({ status: 201 });
});
