import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { test } from "./support/fixtures.ts";
import { startPetstore } from "./support/petstore.ts";

const printed = { exitCode: 0, stdout: `${packageJson.version}\n`, stderr: "" };

/** Prints the version, as a user whose cache is in this directory. */
async function start(home: string, environment: Readonly<Record<string, string>> = {}) {
  // Without the cache that tests share.
  const variables = { XDG_CACHE_HOME: home, NODE_COMPILE_CACHE: "", ...environment };
  return await startPetstore("--version", { home, environment: variables }).ended;
}

/** Where compiled code is kept. */
function compiledIn(home: string): string {
  return join(home, "petstore", "compiled");
}

/** The file of the cache for the main part of the program, which is the largest. */
function cachedIn(home: string): string {
  const files = globSync(join(compiledIn(home), "*", "*"));
  expect(files).not.toEqual([]);
  return files.toSorted((one, other) => statSync(other).size - statSync(one).size)[0] ?? "";
}

test("0: the first start keeps compiled code where only this user can write, and the second uses it", async ({
  home,
}) => {
  expect(await start(home)).toMatchObject(printed);
  expect(statSync(compiledIn(home)).mode & 0o777).toBe(0o700);
  const { ino, size } = statSync(cachedIn(home));
  expect(size).toBeGreaterThan(10_000);
  expect(await start(home)).toMatchObject(printed);
  // Node replaces a file that it cannot use.
  expect(statSync(cachedIn(home))).toMatchObject({ ino, size });
});

test("0: garbage in the cache is replaced", async ({ home }) => {
  await start(home);
  const file = cachedIn(home);
  const kept = readFileSync(file);
  writeFileSync(file, Buffer.alloc(kept.length, "garbage"));
  expect(await start(home)).toMatchObject(printed);
  expect(readFileSync(file).subarray(0, 4)).toEqual(kept.subarray(0, 4));
});

test("0: a directory that cannot be created is not needed", async ({ home }) => {
  writeFileSync(join(home, "petstore"), "a file");
  expect(await start(home)).toMatchObject(printed);
  expect(readFileSync(join(home, "petstore"), "utf8")).toBe("a file");
});

test("0: a directory that others can write to is not used", async ({ home }) => {
  mkdirSync(compiledIn(home), { recursive: true });
  chmodSync(compiledIn(home), 0o777);
  expect(await start(home)).toMatchObject(printed);
  expect(globSync(join(compiledIn(home), "*"))).toEqual([]);
});

test.for([
  ["NODE_DISABLE_COMPILE_CACHE", "1"],
  ["NODE_COMPILE_CACHE", "elsewhere"],
] as const)("0: %s of Node takes precedence", async ([name, value], { home }) => {
  expect(await start(home, { [name]: value })).toMatchObject(printed);
  expect(existsSync(dirname(compiledIn(home)))).toBe(false);
});
