import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { nodes } from "@petstore/test-kit/nodes";
import { otherPostgres } from "@petstore/test-postgres/postgres-programs";
import { expectExit, start } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { test } from "./support/petstore.ts";

const vitest = join(
  dirname(createRequire(import.meta.url).resolve("vitest/package.json")),
  "vitest.mjs",
);

/** What depends on PostgreSQL. */
const onPostgres = ["test/stores.test.ts", "test/postgres"];

/** What depends on Node: its SQLite, threads, files, processes and HTTP. */
const onNode = [
  onPostgres,
  ["test/sqlite", "test/commands"],
  ["test/http", "test/api", "test/batches.test.ts"],
];

/** The environment of these tests without the variables of a pattern. */
function environmentWithout(pattern: RegExp): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !pattern.test(name));
  return Object.fromEntries(kept) as Record<string, string>;
}

/** Runs suites as `pnpm test` does. */
async function expectToPass(
  report: string,
  suites: readonly string[],
  node: string,
  environment: Record<string, string>,
): Promise<void> {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const directory = join(import.meta.dirname, "..");
  const args = [vitest, "run", ...suites, ...reporters];
  await using running = start(node, args, { directory, environment });
  await expectExit(0, running.ended, { stderr: /^/ });
  const counts = JSON.parse(readFileSync(report, "utf8")) as {
    numPassedTests: number;
    numTotalTests: number;
  };
  expect(counts.numPassedTests).toBeGreaterThan(0);
  process.stderr.write(`${counts.numPassedTests} of ${counts.numTotalTests} tests passed\n`);
}

describe.each(nodes.filter(({ major }) => major > 24))("with Node $major", ({ node }) => {
  test.for(onNode.map((suites) => ({ suites })))(
    "0: $suites pass",
    async ({ suites }, { petstore }) => {
      const environment = environmentWithout(/^(?:VITEST|PETSTORE_TEST_PROOF$)/);
      await expectToPass(petstore.path("report.json"), suites, node, environment);
    },
  );
});

describe.each(otherPostgres())("with PostgreSQL in %s", (programs) => {
  test("0: the suites of stores and PostgreSQL pass", async ({ petstore }) => {
    const environment = environmentWithout(/^(?:VITEST|PETSTORE_TEST_(?:PROOF|POSTGRES_URL)$)/);
    const onThis = { ...environment, PETSTORE_TEST_POSTGRES: programs };
    await expectToPass(petstore.path("report.json"), onPostgres, process.execPath, onThis);
  });
});
