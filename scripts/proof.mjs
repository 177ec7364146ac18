/**
 * `pnpm proof` runs every suite at full length, with the tests that are too long for `pnpm test`, and prints a table of what they
 * proved. The table is kept in proof.md. PETSTORE_TEST_SEED repeats the run with the seed of another one.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const seed = process.env.PETSTORE_TEST_SEED ?? String(randomInt(2 ** 31));
const report = join(mkdtempSync(join(tmpdir(), "petstore-proof-")), "rows.ndjson");
const began = Date.now();

const { status } = spawnSync("turbo", ["run", "test", "--continue", "--force", ...process.argv.slice(2)], {
  stdio: ["ignore", "inherit", "inherit"],
  env: {
    ...process.env,
    PETSTORE_TEST_PROOF: "1",
    PETSTORE_TEST_SEED: seed,
    PETSTORE_TEST_PROOF_REPORT: report,
  },
});

const rows = existsSync(report) ? readFileSync(report, "utf8").trim().split("\n").map(JSON.parse) : [];
const cells = rows
  .toSorted((a, b) => a.suite.localeCompare(b.suite))
  .map(({ suite, promise, figure, hasPassed }) => [suite, promise, figure, hasPassed ? "passed" : "FAILED"]);
const table = [["Suite", "Promise", "Figure", "Result"], ["---", "---", "---", "---"], ...cells]
  .map((row) => `| ${row.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
  .join("\n");
const minutes = ((Date.now() - began) / 60_000).toFixed(1);
const text = `# Proof of ${new Date(began).toISOString().slice(0, 10)}\n\nSeed ${seed}, ${minutes} minutes.\n\n${table}\n`;
writeFileSync("proof.md", text);
process.stdout.write(`\n${text}`);
process.exitCode = status ?? 1;
