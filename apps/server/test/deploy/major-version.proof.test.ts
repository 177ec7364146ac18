import { read } from "@petstore/test-kit/checkout";
import { installedPostgres } from "@petstore/test-postgres/postgres-programs";
import {
  startEmbeddedPostgres,
  startPostgresServer,
  type PostgresServer,
} from "@petstore/test-postgres/postgres-server";
import { describe, expect, test } from "vitest";
import { runSql } from "../support/postgres-database.ts";
import { startServiceOn, startTraffic, untilServed } from "../support/service-on-postgres.ts";
import { migrate } from "../support/stores.ts";

/** The blocks of the page, in order: each is a list of statements. */
const blocks = [...read("docs/upgrading.md").matchAll(/^ *```sql\n([^]*?)^ *```$/gm)].map(([, code = ""]) =>
  code.split(/;$/m).flatMap((statement) => (statement.trim() === "" ? [] : [statement.trim()])),
);

const hostOf = ({ url }: PostgresServer) => new URL(url).host;

async function createDatabase({ url }: PostgresServer): Promise<void> {
  await runSql(`${url}/postgres`, "CREATE ROLE petstore LOGIN PASSWORD 'server'");
  await runSql(`${url}/postgres`, "CREATE DATABASE petstore OWNER petstore TEMPLATE template0 ENCODING 'UTF8'");
}

/** Runs statements as a superuser, and returns the rows of the last one. */
async function run({ url }: PostgresServer, statements: readonly string[] = []): Promise<unknown[]> {
  let rows: unknown[] = [];
  for (const statement of statements) rows = await runSql(`${url}/petstore`, statement);
  return rows;
}

describe.each(installedPostgres())("from the PostgreSQL of %s to that of npm", () => {
  test("no acknowledged animal is lost, and no id given twice, by the commands of the page", async () => {
    await using old = await startPostgresServer("wal_level = logical");
    await using fresh = await startEmbeddedPostgres();
    const [prepare, publish, subscribe, handOver, takeOver, ...rest] = blocks;
    expect(rest).toEqual([]);
    for (const server of [old, fresh]) {
      await createDatabase(server);
      await migrate(`postgres://petstore:server@${hostOf(server)}/petstore`);
    }
    await run(fresh, prepare);
    await using server = await startServiceOn(`postgres://petstore:server@${hostOf(old)},${hostOf(fresh)}/petstore`);
    let count = 0;
    const writes = startTraffic(server, 4, () => ["/pets", { body: { name: `animal ${++count}`, categoryId: 1 } }]);
    const { hostname, port, password } = new URL(old.url);
    const connection = `host=${hostname} port=${port} password=${password} dbname`;
    await run(old, publish);
    const [create = "", unfinished = ""] = subscribe ?? [];
    await run(fresh, [create.replace("host=OLD dbname", connection)]);
    await expect.poll(() => run(fresh, [unfinished])).toEqual([]);

    // So that the new server lags behind.
    const many =
      "INSERT INTO pets SELECT 9007199254740992 + n, 'Bella', 1, 'sold' FROM generate_series(1, 200000) AS n";
    await run(old, [many]);
    const behind = handOver?.at(-1) ?? "";
    await run(old, handOver);
    await expect.poll(() => run(old, [behind])).toEqual([]);
    await run(fresh, takeOver);
    await untilServed(server);
    const stopped = writes.responses.length;
    await expect.poll(() => writes.responses.length).toBeGreaterThan(stopped + 20);
    const responses = await writes.stop();

    const created = responses
      .filter(({ status }) => status === 201)
      .map(({ body }) => body as { id: number; name: string });
    const stored = (await run(fresh, ["SELECT id::int, name FROM pets WHERE id < 1000000"])) as typeof created;
    const names = new Map(stored.map(({ id, name }) => [id, name]));
    expect(created.filter(({ id, name }) => names.get(id) !== name)).toEqual([]);
    expect(new Set(created.map(({ id }) => id)).size).toBe(created.length);
    expect(await run(fresh, ["SELECT count(*)::int FROM pets WHERE id > 9007199254740992"])).toEqual([
      { count: 200_000 },
    ]);
  });
});
