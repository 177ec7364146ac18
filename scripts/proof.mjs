/**
 * `pnpm proof` runs every suite at full length, with the tests that are too long for `pnpm test`, and prints which of the
 * promises in tests/kit/promises.ts they proved. The table is kept in proof.md. PETSTORE_TEST_SEED repeats the run with the seed of another.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, release, tmpdir, totalmem, type } from "node:os";
import { join } from "node:path";
import { proofOf } from "../tests/kit/proof.ts";

const seed = process.env.PETSTORE_TEST_SEED ?? String(randomInt(2 ** 31));
const report = join(mkdtempSync(join(tmpdir(), "petstore-proof-")), "rows.ndjson");
const began = Date.now();

// One suite after the other, so that none fails, or measures, the load of another.
const command = ["run", "test", "--continue", "--force", "--concurrency=1", ...process.argv.slice(2)];
const { status } = spawnSync("turbo", command, {
  stdio: ["ignore", "inherit", "inherit"],
  env: {
    ...process.env,
    PETSTORE_TEST_PROOF: "1",
    PETSTORE_TEST_SEED: seed,
    PETSTORE_TEST_PROOF_REPORT: report,
  },
});

const rows = existsSync(report) ? readFileSync(report, "utf8").trim().split("\n").map(JSON.parse) : [];
const { text, isProved } = proofOf(rows, {
  seed,
  began,
  minutes: (Date.now() - began) / 60_000,
  commit: execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim(),
  machine: `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 1024 ** 3)} GiB, ${type()} ${release()}`,
});
writeFileSync("proof.md", text);
process.stdout.write(`\n${text}`);
process.exitCode = status || (isProved ? 0 : 1);
