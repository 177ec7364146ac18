import { chmodSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { installed } from "@petstore/test-kit/programs";
import { startPostgresWith } from "@petstore/test-postgres/postgres-server";
import { temporaryDirectory } from "@petstore/test-servers/processes";
import { describe } from "vitest";
import { createClock } from "./support/fake-clock.ts";
import { Ledger } from "./support/ledger.ts";
import { test as base } from "./support/petstore.ts";
import { createDatabase } from "./support/postgres-database.ts";

/** How many writes are acknowledged between two steps. */
const some = 150;

/** A server on each database, and its clock. */
const test = base.extend("serverOf", ({ petstore, onPostgres }) => {
  const clock = createClock(petstore.directory);
  return { SQLite: { petstore, clock }, PostgreSQL: { petstore: onPostgres, clock } };
});

describe.each(installed("faketime"))("with the clocks of %s", () => {
  describe.each(["SQLite", "PostgreSQL"] as const)("on %s", (kind) => {
    test("writes take effect once and in order while the clock of the server is 1 h back, 2 h ahead and 40 d back", async ({
      serverOf,
    }) => {
      const { petstore, clock } = serverOf[kind];
      const ledger = await Ledger.open(petstore);
      await using server = await petstore.serve(clock.environment);
      await ledger.writeWhile(server, async () => {
        for (const difference of ["+0s", "-1h", "+2h", "+0s"]) {
          clock.set(difference);
          await ledger.acknowledges(some);
        }
      });
      // A retry may take effect twice after a step that is longer than keys are kept.
      const onceEach = { repeats: false };
      await ledger.writeWhile(
        server,
        async () => {
          for (const difference of ["-40d", "+0s"]) {
            clock.set(difference);
            await ledger.acknowledges(some);
          }
        },
        onceEach,
      );
      await ledger.settle(server);
      await ledger.expectKept();
    });

    test("the history tells what was put back, by a command with the true clock, and what a server 2 h ahead changes then", async ({
      serverOf,
    }) => {
      const { petstore, clock } = serverOf[kind];
      clock.set("+2h");
      const ledger = await Ledger.open(petstore);
      await using server = await petstore.serve(clock.environment);
      await ledger.writeWhile(server, () => ledger.acknowledges(2 * some));
      await ledger.settle(server);
      await ledger.putBack(3);
      await ledger.writeWhile(server, () => ledger.acknowledges(some));
      await ledger.settle(server);
      await ledger.expectKept();
    });

    test("the history is whole after the clock of the server was 500 d ahead for 1.5 s", async ({
      serverOf,
    }) => {
      const { petstore, clock } = serverOf[kind];
      const ledger = await Ledger.open(petstore);
      await using server = await petstore.serve(clock.environment);
      await ledger.writeWhile(server, () => ledger.acknowledges(some));
      await ledger.writeWhile(
        server,
        async () => {
          clock.set("+500d");
          await sleep(1_500);
          clock.set("+0s");
          await ledger.acknowledges(some);
        },
        { repeats: false },
      );
      await ledger.settle(server);
      await ledger.expectKept();
    });
  });

  test("writes take effect once and in order while the clock of PostgreSQL is 30 s back, and ahead", async ({
    petstore,
  }) => {
    using directory = temporaryDirectory();
    chmodSync(directory.path, 0o755); // PostgreSQL may have another user
    const clock = createClock(directory.path);
    await using postgres = await startPostgresWith(clock.environment);
    const { url } = await createDatabase(postgres.url);
    const onPostgres = petstore.on(url);
    const ledger = await Ledger.open(onPostgres);
    await using server = await onPostgres.serve();
    await ledger.writeWhile(server, async () => {
      for (const difference of ["+0s", "-30s", "+30s", "+0s"]) {
        clock.set(difference);
        await ledger.acknowledges(some);
      }
    });
    await ledger.settle(server);
    await ledger.expectKept();
  });
});
