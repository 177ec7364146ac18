import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { endurance } from "@petstore/test-kit/endurance";
import { afterAll, expect } from "vitest";
import { binary } from "./binary.ts";
import { animals, startCatalogue } from "./catalogue.ts";
import { test } from "./fixtures.ts";

/** The files of the package that a program loads, and the modules of Node that an empty program does not load. */
async function loadedBy(args: readonly string[], home: string, connection: Readonly<Record<string, string>>) {
  const hook = join(home, "hook.cjs");
  writeFileSync(
    hook,
    `const { basename } = require("node:path");
     const modules = () => process.moduleLoadList.map((name) => name.replace("NativeModule ", "")).filter((name) => !/^internal\\b/i.test(name));
     const before = new Set(modules());
     process.on("exit", () => {
       const files = Object.keys(require.cache).filter((file) => file !== __filename).map((file) => basename(file, ".cjs"));
       const builtins = modules().filter((name) => !before.has(name));
       process.stderr.write("\\n" + JSON.stringify({ files: files.sort(), builtins: builtins.sort() }));
     });`,
  );
  const env = { ...connection, HOME: home, NODE_OPTIONS: `--require=${hook}`, NODE_DISABLE_COMPILE_CACHE: "1" };
  const { stderr } = await promisify(execFile)(process.execPath, args, { env, cwd: home });
  return JSON.parse(stderr.split("\n").at(-1) ?? "") as { files: string[]; builtins: string[] };
}

// The compile cache takes `module`, and the directory of the user `os`.
test.for<[commandLine: string, files?: string[]]>([
  ["--help"],
  ["--version"],
  ["pets import --help"],
  ["help exit-codes", ["help", "rolldown-runtime", "shared"]],
  ["config path", ["config", "rolldown-runtime", "shared"]],
])("0: petstore %s loads only what it runs", async ([commandLine, files = []], { home }) => {
  const loaded = await loadedBy([binary, ...commandLine.split(" ")], home, {});
  expect(loaded).toEqual({ files: ["petstore", "start", ...files].toSorted(), builtins: ["module", "os"] });
});

test("0: petstore pets list loads only what it runs, and what a fetch loads", async ({ home, server }) => {
  const connection = connectionTo(server);
  const file = join(home, "fetch.mjs");
  writeFileSync(file, fetchProgram);
  const { builtins } = await loadedBy([file], home, connection);
  const files = ["pets", "petstore", "rolldown-runtime", "shared", "start"];
  expect(await loadedBy([binary, "pets", "list"], home, connection)).toEqual({
    files,
    builtins: [...builtins, "module"].toSorted(),
  });
});

function connectionTo({ url, apiKey }: { url: string; apiKey: string }) {
  return { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: apiKey };
}

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
  const env = { HOME: home, NODE_OPTIONS: `--require=${file("meter.cjs", meter)}`, ...connectionTo(server) };
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
  expect(help / empty).toBeLessThan(1.6);
  expect(list / fetch).toBeLessThan(1.4);
});
