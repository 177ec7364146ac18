import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { startPostgresServer, startStandby, type PostgresServer } from "@petstore/test-postgres/postgres-server";
import { expect, test } from "vitest";
import { createDatabase, runSql } from "../support/postgres-database.ts";
import { animal, countStatuses, startServiceOn, startTraffic } from "../support/service-on-postgres.ts";

/** The address of a database on several servers. */
function addressOf(databaseUrl: string, ...hosts: readonly string[]): string {
  return databaseUrl.replace(/(?<=@)[^/]+/, hosts.join(","));
}

test("201 and 200 for every acknowledged animal after the primary has crashed and its standby is promoted", async ({
  task,
}) => {
  task.meta.promise = "failover";
  await using primary = await startPostgresServer();
  const database = await createDatabase(primary.url);
  await using standby = await startStandby(primary);
  await replicateSynchronously(primary);
  // The standby is first, and must be skipped.
  const url = addressOf(database.url, ...[standby, primary].map((each) => new URL(each.url).host));
  await using server = await startServiceOn(`${url}?target_session_attrs=read-write`);
  const writes = startTraffic(server, 4, () => ["/pets", { body: animal }]);
  await expect.poll(() => countStatuses(writes.responses)[201] ?? 0).toBeGreaterThan(300);

  await primary.stop("immediate");
  await runSql(`${standby.url}/postgres`, "SELECT pg_promote()");
  const crashedAt = writes.responses.length;
  await expect.poll(() => countStatuses(writes.responses.slice(crashedAt))[201] ?? 0).toBeGreaterThan(300);
  const responses = await writes.stop();
  expect([201, 503]).toEqual(expect.arrayContaining(responses.map(({ status }) => status)));
  const acknowledged = responses.filter(({ status }) => status === 201).map(({ body }) => body as { id: number });
  task.meta.figure = `0 of ${acknowledged.length} acknowledged animals lost`;
  for (const { id } of acknowledged) expect(await server.store.getPet(id)).toMatchObject({ id });
});

test("201 from the second server when the first does not respond, which is not tried again", async () => {
  await using second = await startPostgresServer();
  const database = await createDatabase(second.url);
  let connections = 0;
  await using silent = createServer((socket) => {
    connections++;
    socket.on("error", () => {}).resume(); // reads, and never responds
  }).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const url = addressOf(database.url, `127.0.0.1:${port}`, new URL(second.url).host);
  await using server = await startServiceOn(url, 4, { firstConnect: 5_000, connect: 2_000 });
  for (let count = 0; count < 20; count++) expect((await server.call("/pets", { body: animal })).status).toBe(201);
  expect(connections).toBe(1);
});

/** An animal is acknowledged once the standby has it. */
async function replicateSynchronously(primary: PostgresServer): Promise<void> {
  await runSql(`${primary.url}/postgres`, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await runSql(`${primary.url}/postgres`, "SELECT pg_reload_conf()");
  await expect
    .poll(() => runSql(`${primary.url}/postgres`, "SELECT sync_state FROM pg_stat_replication"))
    .toEqual([{ sync_state: "sync" }]);
}
