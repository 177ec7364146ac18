import { readdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "@petstore/server/start-server";
import { endurance } from "@petstore/test-kit/endurance";
import {
  assert,
  asyncProperty,
  array,
  boolean,
  constantFrom,
  integer,
  oneof,
  record,
  string,
} from "fast-check";
import { expect, test } from "vitest";
import {
  errorResponse,
  importDesk,
  isBatch,
  proxyTo,
  row,
  stored,
} from "../../support/import-desk.ts";

/** Lines with a valid row, many of them equal. */
const good = oneof(
  { weight: 3, arbitrary: constantFrom("Rex", "Bella", "Milo").map((name) => row(name)) },
  string({ unit: "binary", minLength: 1, maxLength: 20 })
    .filter((name) => !name.includes("\0"))
    .map((name) => row(name)),
);
const blank = ["", "  ", "\t"];
/** The first line of each file, so that its format is known. */
const first = row("First");
const bad = ["{}", "[1]", "oops", '{"name":"","categoryId":1}', "x".repeat(20_000)];

/** A run that does not complete. */
const killedRun = record({
  /** The file lacks some lines, and has others in a different place later. */
  lines: integer({ min: 0, max: 30 }),
  isReversed: boolean(),
  /** Whether the service takes several rows with one request. */
  takesBatches: boolean(),
  /** The request at which it is killed, and the moment. */
  request: oneof(integer({ min: 1, max: 2 }), integer({ min: 3, max: 25 })),
  isStored: boolean(),
  isAnswered: boolean(),
  /** How many bytes of the journal are then lost. */
  lost: constantFrom(0, 1, 5, 28, 60, Infinity),
});

const file = record({
  lines: array(
    oneof({ weight: 6, arbitrary: good }, constantFrom(...blank), constantFrom(...bad)),
    {
      maxLength: 30,
      size: "max",
    },
  ),
  lineEnd: constantFrom("\n", "\r\n"),
  concurrency: constantFrom("1", "3", "8"),
  killedRuns: array(killedRun, { minLength: 1, maxLength: endurance(1, 3), size: "max" }),
});

test("0: whatever the lines are and wherever it is killed, and whatever its journal loses, every good row is added once", async () => {
  await assert(
    asyncProperty(file, async ({ lines, lineEnd, concurrency, killedRuns }) => {
      await using server = await startServer();
      await using proxy = await proxyTo(server);
      const desk = importDesk(proxy);
      const args = ["rows.ndjson", "--concurrency", concurrency];

      for (const { takesBatches, request, isStored, isAnswered, lost, ...run } of killedRuns) {
        const some = lines.slice(0, run.lines);
        desk.write([first, ...(run.isReversed ? some.toReversed() : some)].join(lineEnd));
        await using running = desk.start(args);
        const last = proxy.requests.length + request;
        proxy.treat = async ({ number, target, forward }) => {
          if (!takesBatches && isBatch({ target })) return errorResponse(404, "route_not_found");
          if (number < last) return await forward();
          running.kill("SIGKILL");
          if (!isStored) return "silence";
          const forwarded = await forward();
          return isAnswered ? forwarded : "silence";
        };
        await running.ended;
        for (const name of readdirSync(desk.journals)) {
          const journal = join(desk.journals, name);
          truncateSync(journal, Math.max(0, statSync(journal).size - lost));
        }
      }
      proxy.treat = ({ forward }) => forward();
      desk.write([first, ...lines].join(lineEnd));
      const { stdout } = await desk.import(args);
      const wanted = [first, ...lines].filter(
        (line) => !blank.includes(line) && !bad.includes(line),
      );
      const rejected = lines.filter((line) => bad.includes(line)).length;
      const summary = JSON.parse(stdout) as { added: number; alreadyAdded: number };
      expect(summary.added + summary.alreadyAdded).toBe(wanted.length);
      expect(summary).toMatchObject({ rejected });
      expect(await stored(server)).toEqual(wanted.toSorted());
    }),
    { numRuns: endurance(8, 60) },
  );
});
