import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { endurance } from "@petstore/test-kit/endurance";
import { afterAll, expect } from "vitest";
import { binary } from "./binary.ts";
import { animals, startCatalogue } from "./catalogue.ts";
import { test } from "./fixtures.ts";
import { petstoreProcess, type PipedOptions } from "./petstore.ts";

/** The files of the package that a command loads, and the parts of Node that take long to load. */
async function loadedBy(commandLine: string, options: PipedOptions & { home: string }) {
  const hook = join(options.home, "hook.cjs");
  writeFileSync(
    hook,
    `const path = require("node:path");
     process.on("exit", () => {
       const files = Object.keys(require.cache).filter((file) => file !== __filename).map((file) => path.basename(file, ".cjs"));
       const slow = { child_process: "child_process", undici: "internal/deps/undici/undici", readline: "readline" };
       const builtins = Object.keys(slow).filter((name) => process.moduleLoadList.includes("NativeModule " + slow[name]));
       process.stderr.write("\\n" + JSON.stringify({ files: files.sort(), builtins }));
     });`,
  );
  const environment = { NODE_OPTIONS: `--require=${hook}`, NODE_DISABLE_COMPILE_CACHE: "1" };
  const { stderr } = await petstoreProcess(commandLine, { ...options, environment });
  return JSON.parse(stderr.split("\n").at(-1) ?? "") as unknown;
}

const start = ["petstore", "rolldown-runtime", "start"];

test.for<[commandLine: string, files: string[], builtins?: string[]]>([
  ["--help", []],
  ["--version", []],
  ["pets import --help", []],
  ["help exit-codes", ["help", "shared"]],
  ["config path", ["config", "shared"]],
  ["pets list", ["pets", "shared"], ["undici"]],
])("0: petstore %s loads only what it runs", async ([commandLine, files, builtins = []], { home, server }) => {
  const expected = { files: [...start, ...files].toSorted(), builtins };
  expect(await loadedBy(commandLine, { home, server })).toEqual(expected);
});

const figures: Record<string, string> = {};
// oxlint-disable-next-line no-console -- the figures are what this test is run for
afterAll(() => console.table(figures));

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
  const names = Object.keys(programs) as (keyof typeof programs)[];
  const connection = { PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: server.apiKey };
  const env = { HOME: home, NODE_OPTIONS: `--require=${file("meter.cjs", meter)}`, ...connection };
  const least: Record<string, number> = {};
  // In turn, so that other load on the machine affects all of them. Nothing disturbed the fastest of many.
  for (let round = 0; round < endurance(15, 61); round++) {
    for (const name of names) {
      const { stderr } = await promisify(execFile)(process.execPath, programs[name], { env, cwd: home });
      least[name] = Math.min(least[name] ?? Infinity, Number(/cpu (\S+)$/.exec(stderr)?.[1]));
    }
  }
  const { empty = 0, help = 0, fetch = 0, list = 0 } = least;
  figures["--help / empty module"] = (help / empty).toFixed(2);
  figures["pets list - fetch, ms"] = (list - fetch).toFixed(1);
  figures["pets list / fetch"] = (list / fetch).toFixed(2);
  expect(help / empty).toBeLessThan(2);
  expect(list / fetch).toBeLessThan(1.6);
});
