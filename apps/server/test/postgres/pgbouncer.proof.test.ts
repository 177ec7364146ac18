import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onFreePort } from "@petstore/test-kit/free-port";
import { installed } from "@petstore/test-kit/programs";
import { giveToPostgres, postgresUser } from "@petstore/test-postgres/postgres-programs";
import { expectExit, start, temporaryDirectory } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { expectEveryCommandToWork } from "../support/every-command.ts";
import { test } from "../support/petstore.ts";
import { createOwnedDatabase, createRoles, runSql } from "../support/postgres-database.ts";
import {
  animal,
  countStatuses,
  expectUnavailable,
  issueUnseenKey,
  startServiceOn,
  startTraffic,
} from "../support/service-on-postgres.ts";
import { migrate } from "../support/stores.ts";

type Mode = readonly [mode: "transaction" | "session", sessionCount: number];

const page = readFileSync(new URL("../../../../docs/deployment.md", import.meta.url), "utf8");
const [, documented = ""] = /^```ini\n(\[pgbouncer\]\n[^]*?)^```$/m.exec(page) ?? [];

test("the page has the settings of PgBouncer that are tested", () => {
  expect(documented).toContain("pool_mode = transaction\n");
});

/**
 * PgBouncer with the settings of the page, in front of a database, with at most this many sessions
 * there. Returns its address.
 */
async function startPgBouncer(
  program: string,
  directory: string,
  { name, server }: { name: string; server: string },
  [mode, sessionCount]: Mode,
) {
  const { host, hostname, port, password } = new URL(server);
  giveToPostgres(directory);
  const configuration = join(directory, "pgbouncer.ini");
  writeFileSync(join(directory, "users.txt"), `"${name}" "${password}"\n`);
  return await onFreePort(async (listenPort) => {
    writeFileSync(
      configuration,
      `[databases]\n${name} = host=${hostname} port=${port}\n${documented.replace("= transaction", `= ${mode}`)}auth_type = plain\nauth_file = ${directory}/users.txt
listen_addr = 127.0.0.1\nlisten_port = ${listenPort}\nunix_socket_dir =\ndefault_pool_size = ${sessionCount}\n`,
    );
    const running = start(program, [configuration], { directory, user: postgresUser });
    await running.printed(/process up/, "stderr");
    return server.replace(host, `127.0.0.1:${listenPort}`);
  });
}

/** Of a role, all at once. */
const strangeSettings = {
  DateStyle: "German",
  IntervalStyle: "sql_standard",
  TimeZone: "Asia/Kolkata",
  bytea_output: "escape",
  default_transaction_isolation: "serializable",
  extra_float_digits: "-15",
  standard_conforming_strings: "off",
};

/** Notes the settings of each transaction that stores animals. */
const noteSettings = `
  CREATE TABLE noted (jit TEXT, messages TEXT, isolation TEXT);
  CREATE FUNCTION note_settings() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO noted
      VALUES (current_setting('jit'), current_setting('client_min_messages'), current_setting('transaction_isolation'));
    RETURN NULL;
  END $$;
  CREATE TRIGGER note_settings AFTER INSERT ON pets FOR EACH STATEMENT EXECUTE FUNCTION note_settings()`;

describe.each(installed("pgbouncer"))("through %s", (program) => {
  test("0, 200 and 201 from every command and a server in transaction mode, with settings of the role", async ({
    petstore,
  }) => {
    const { database, name, url: server } = await createOwnedDatabase();
    for (const [setting, value] of Object.entries(strangeSettings))
      await database.administer(`ALTER ROLE ${name} SET ${setting} = '${value}'`);
    using directory = temporaryDirectory();
    const url = await startPgBouncer(program, directory.path, { name, server }, ["transaction", 3]);
    await expectEveryCommandToWork(petstore.on(url));
    await expectExit(0, petstore.on(url).run("doctor"), {
      stdout: /^warning: there is no active key.*\n$/,
    });
  });

  test("every transaction in transaction mode has the settings of the server", async () => {
    const { name, url: server } = await createOwnedDatabase();
    await migrate(server);
    await runSql(server, noteSettings);
    for (const setting of [
      "jit = on",
      "client_min_messages = error",
      "default_transaction_isolation = 'serializable'",
    ])
      await runSql(server, `ALTER ROLE ${name} SET ${setting}`);
    using directory = temporaryDirectory();
    const url = await startPgBouncer(program, directory.path, { name, server }, ["transaction", 3]);
    await using service = await startServiceOn(url);
    // its connection is set up, in one of the sessions
    await service.call("/pets", { body: animal });
    // As in sessions that PgBouncer opens later.
    await Promise.all(
      Array.from({ length: 3 }, () => runSql(url, "RESET ALL; SELECT pg_sleep(1)")),
    );
    for (let count = 0; count < 3; count++) await service.call("/pets", { body: animal });
    expect(await runSql(server, "SELECT DISTINCT * FROM noted")).toEqual([
      { jit: "off", messages: "notice", isolation: "read committed" },
    ]);
  });

  // The servers have ten connections: in one mode they share sessions, in the other they do not.
  test.for<Mode>([
    ["transaction", 3],
    ["session", 20],
  ])(
    "200 and 201 in %s mode on %i sessions, 401 soon after a revocation, and 503 for a lock",
    async (mode) => {
      const urls = await createRoles();
      await migrate(urls.owner);
      using directory = temporaryDirectory();
      const url = await startPgBouncer(program, directory.path, urls, mode);
      await using first = await startServiceOn(url);
      await using second = await startServiceOn(url);

      const traffics = [first, second].flatMap((server) => [
        startTraffic(server, 3, () => ["/pets?limit=1"]),
        startTraffic(server, 3, () => [
          "/pets",
          { body: animal, headers: { "Idempotency-Key": crypto.randomUUID() } },
        ]),
      ]);
      await expect
        .poll(() => Math.min(...traffics.map(({ responses }) => responses.length)))
        .toBeGreaterThan(100);
      for (const traffic of traffics) {
        const statuses = Object.keys(countStatuses(await traffic.stop()));
        // Six callers of a server share four connections.
        expect(["200", "201", "503"]).toEqual(expect.arrayContaining(statuses));
        expect(countStatuses(traffic.responses)).not.toEqual({ 503: traffic.responses.length });
      }
      const pets = [
        { ...animal, id: 7_000_000, status: "sold" },
        { ...animal, status: "sold" },
      ] as const;
      expect(await first.store.importPets(pets)).toEqual({ stored: 2, changed: 0, skipped: 0 });

      const { id, secret } = await issueUnseenKey(first);
      const statusOf = async () => (await second.call("/pets", { apiKey: secret })).status;
      await expect.poll(statusOf).toBe(200);
      await first.store.revokeKey(id, Date.now());
      await expect.poll(statusOf).toBe(401);

      // The role's own limits end statements that wait for the lock, so that nothing is stored
      // afterwards.
      const before = await runSql(urls.server, "SELECT count(*) FROM pets");
      const lock = runSql(
        urls.server,
        "BEGIN; SELECT lock_numbering(); SELECT pg_sleep(2); ROLLBACK",
      );
      await expect
        .poll(() =>
          runSql(urls.server, "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'"),
        )
        .not.toEqual([]);
      await expectUnavailable(first, "/pets", { body: animal });
      await lock;
      expect(await runSql(urls.server, "SELECT count(*) FROM pets")).toEqual(before);
      expect((await first.call("/pets", { body: animal })).status).toBe(201);
    },
  );
});
