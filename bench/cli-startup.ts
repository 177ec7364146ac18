// Prints how long commands of `petstore` take, compared with minimal programs. See README.md.
import { spawnSync } from "node:child_process";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runtimes } from "@petstore/test-kit/runtimes";
import { fillDatabase, startBundledServer } from "./bundled-server.ts";
import { median } from "./report.ts";

const rounds = 41;
const animals = 1000;

const petstore = fileURLToPath(new URL("../apps/cli/dist/petstore.cjs", import.meta.url));
using directory = mkdtempDisposableSync(join(tmpdir(), "petstore-bench-"));

const emptyModule = program("empty.mjs", "export {};");
const fetchScript = program(
  "fetch.mjs",
  `const { PETSTORE_BASE_URL, PETSTORE_API_KEY } = process.env;
   const response = await fetch(PETSTORE_BASE_URL + "/pets", { headers: { Authorization: "Bearer " + PETSTORE_API_KEY } });
   for (const pet of await response.json()) process.stdout.write(JSON.stringify(pet) + "\\n");`,
);

const commands: Readonly<Record<string, readonly string[]>> = {
  "an empty module": [emptyModule],
  "petstore --version": [petstore, "--version"],
  "petstore --help": [petstore, "--help"],
  "petstore pets lst": [petstore, "pets", "lst"],
  "fetch and print": [fetchScript],
  "petstore pets list": [petstore, "pets", "list"],
};

const databaseUrl = `sqlite:${join(directory.path, "petstore.db")}`;
const apiKey = fillDatabase(databaseUrl, animals);
await using server = await startBundledServer(databaseUrl);
const env = { HOME: directory.path, PETSTORE_BASE_URL: `http://127.0.0.1:${server.port}/v1`, PETSTORE_API_KEY: apiKey };

for (const { major, node } of runtimes) {
  const measured = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]));
  // In turn, so that other load on the machine affects all of them.
  for (let round = 0; round < rounds; round++) {
    for (const [name, args] of Object.entries(commands)) measured.get(name)?.push(measure(node, args));
  }
  process.stdout.write(`Node ${major}\n`);
  const baseline = measured.get("an empty module") ?? [];
  const columns = [(times: number[]) => Math.min(...times), median].map((figure) => (times: number[]) => {
    const tookMs = figure(times);
    return `${tookMs.toFixed(1).padStart(6)} ms  (${(tookMs / figure(baseline)).toFixed(2)})`;
  });
  process.stdout.write(`  ${"".padEnd(20)} ${"least".padStart(9)} ${"median".padStart(17)}\n`);
  for (const [name, times] of measured) {
    process.stdout.write(`  ${name.padEnd(20)} ${columns.map((column) => column(times)).join("  ")}\n`);
  }
}

function program(name: string, text: string): string {
  const path = join(directory.path, name);
  writeFileSync(path, text);
  return path;
}

/** Returns the milliseconds from the start of the process to its end. */
function measure(node: string, args: readonly string[]): number {
  const startedAt = performance.now();
  const { error, signal } = spawnSync(node, args, { env, cwd: directory.path });
  if (error !== undefined || signal !== null) throw error ?? new Error(`${args.join(" ")} was ended by ${signal}`);
  return performance.now() - startedAt;
}
