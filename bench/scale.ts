// Prints the cost of large catalogues for the bundled server. See README.md.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgresServer } from "@petstore/test-postgres/postgres-server";
import type * as shipped from "../apps/server/src/shipped.ts";
import {
  animalLines,
  bundle,
  createKey,
  fillDatabase,
  makeDirectory,
  runCommand,
  startBundledServer,
} from "./bundled-server.ts";
import { print, quantile, spread, toLines } from "./report.ts";

const small = 1_000;
const large = 1_000_000;
const rounds = 7;
const pagesPerRound = 1_000;

type Store = Awaited<ReturnType<typeof shipped.openStore>>;
type PetQuery = Parameters<Store["listPets"]>[0];

export async function scale(args: readonly string[]): Promise<void> {
  const { values: options } = parseArgs({
    args: [...args],
    options: { postgres: { type: "boolean", default: false } },
  });
  using directory = makeDirectory();
  const sqlite = (name: string) => `sqlite:${join(directory.path, name)}`;
  const animals = join(directory.path, "animals.ndjson");
  writeFileSync(animals, animalLines(large));
  const files = { small: sqlite("small"), large: sqlite("large") };

  print(`import of ${large} animals, SQLite: ${timeImport(files.large, animals)} s`);
  const keys = { small: fillDatabase(files.small, small), large: createKey(files.large) };
  await comparePages([files.small, files.large]);
  for (const name of ["small", "large"] as const) {
    print(`cold start to the first response, ${name} file: ${await timeColdStart(files[name], keys[name])} ms`);
  }
  if (options.postgres) {
    await using postgres = await startPostgresServer();
    print(`import of ${large} animals, ${postgres.version}: ${timeImport(`${postgres.url}/postgres`, animals)} s`);
  }
}

/** Returns the seconds that the import command takes. */
function timeImport(databaseUrl: string, animals: string): string {
  runCommand(databaseUrl, ["migrate"]);
  const start = performance.now();
  runCommand(databaseUrl, ["import", "pets", animals]);
  return ((performance.now() - start) / 1000).toFixed(1);
}

/** Compares the p99 of a page of 100 in both files, in turn. Takes the fastest round, which other load disturbed least. */
async function comparePages(databaseUrls: readonly string[]): Promise<void> {
  const { openStore, limits } = (await import(bundle)) as typeof shipped;
  const rows: string[][] = [];
  const stores = await Promise.all(databaseUrls.map((url) => openStore(url, { limits })));
  for (const status of [undefined, "available"] as const) {
    for (const [place, share] of Object.entries({ start: 0, middle: 0.5, end: 1 })) {
      const queries = [small, large].map((count) => ({ limit: 100, status, after: Math.floor(share * (count - 300)) })); // a hundred of which have the status
      const p99: number[][] = [[], []];
      for (let round = 0; round < rounds; round++) {
        for (const [index, store] of stores.entries()) {
          p99[index]?.push(await quantileOf((query) => store.listPets(query), queries[index]));
        }
      }
      const [smallMs = Number.NaN, largeMs = Number.NaN] = p99.map((each) => Math.min(...each));
      const [name, ratio] = [`${place}${status ? `, ${status}` : ""}`, (largeMs / smallMs).toFixed(2)];
      rows.push([name, ...[smallMs, largeMs].map((each) => (each * 1000).toFixed(0)), ratio]);
    }
  }
  await Promise.all(stores.map((store) => store.close()));
  print(toLines(["p99 of a page of 100, µs", String(small), String(large), "ratio"], rows));
}

async function quantileOf(listPets: (query: PetQuery) => unknown, query: PetQuery = { limit: 100 }): Promise<number> {
  const times: number[] = [];
  for (let page = 0; page < pagesPerRound; page++) {
    const start = performance.now();
    await listPets(query);
    times.push(performance.now() - start);
  }
  return quantile(times, 0.99);
}

/** The time from the start of the process to the first 200 for a list. */
async function timeColdStart(databaseUrl: string, key: string): Promise<string> {
  const times: number[] = [];
  for (let round = -1; round < 10; round++) {
    const start = performance.now();
    await using server = await startBundledServer(databaseUrl);
    const url = `http://127.0.0.1:${server.port}/v1/pets`;
    const { status } = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
    if (status !== 200) throw new Error(`The server responded with ${status}`);
    if (round >= 0) times.push(performance.now() - start); // the first round also warms up this process
  }
  return spread(times);
}
