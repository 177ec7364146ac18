import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { binary } from "./support/binary.ts";
import { animals, startCatalogue } from "./support/catalogue.ts";
import { test } from "./support/fixtures.ts";

/** Prints the CPU time of a process when it ends: other load on the machine affects it less than the time on the clock. */
const meter = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  process.stderr.write("\\ncpu " + (user + system) / 1000);
});`;

const fetchProgram = `
  const { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: key } = process.env;
  const response = await fetch(url + "/pets", { headers: { Authorization: "Bearer " + key } });
  for (const pet of await response.json()) process.stdout.write(JSON.stringify(pet) + "\\n");`;

test("0: help takes little more than an empty module, and a list little more than a fetch", async ({ home }) => {
  await using server = await startCatalogue(animals(20));
  const file = (name: string, text: string): string => (writeFileSync(join(home, name), text), join(home, name));
  const programs = {
    empty: [file("empty.mjs", "export {};")],
    help: [binary, "--help"],
    fetch: [file("fetch.mjs", fetchProgram)],
    list: [binary, "pets", "list"],
  };
  const connection = { PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: server.apiKey };
  const env = { HOME: home, NODE_OPTIONS: `--require=${file("meter.cjs", meter)}`, ...connection };
  const least = { empty: Infinity, help: Infinity, fetch: Infinity, list: Infinity };
  // In turn, so that other load on the machine affects all of them. Nothing disturbed the fastest of many.
  for (let round = 0; round < 61; round++) {
    for (const name of Object.keys(programs) as (keyof typeof programs)[]) {
      const { stderr } = await promisify(execFile)(process.execPath, programs[name], { env, cwd: home });
      least[name] = Math.min(least[name], Number(/cpu (\S+)$/.exec(stderr)?.[1]));
    }
  }
  const ratios = [least.help / least.empty, least.list / least.fetch] as const;
  expect(ratios[0]).toBeLessThan(1.6);
  expect(ratios[1]).toBeLessThan(1.4);
});
