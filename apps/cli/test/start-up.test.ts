import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { binary } from "./support/binary.ts";
import { test } from "./support/fixtures.ts";

test.for([
  ["--help", ["petstore", "start"]],
  ["pets import --help", ["petstore", "start"]],
  ["help pets", ["petstore", "start"]],
  ["pets list", ["context", "pets", "petstore", "rolldown-runtime", "shared", "start"]],
] as const)("0: petstore %s loads only the files that it runs", async ([commandLine, files], { home, server }) => {
  const hook = join(home, "hook.cjs");
  const program = `process.on("exit", () => process.stderr.write("\\n" + JSON.stringify(Object.keys(require.cache))));`;
  writeFileSync(hook, program);
  const connection = { PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: server.apiKey };
  const env = { ...connection, HOME: home, NODE_OPTIONS: `--require=${hook}`, NODE_DISABLE_COMPILE_CACHE: "1" };
  const { stderr } = await promisify(execFile)(process.execPath, [binary, ...commandLine.split(" ")], { env });
  const loaded = JSON.parse(stderr.split("\n").at(-1) ?? "") as string[];
  const names = loaded.filter((file) => file !== hook).map((file) => basename(file, ".cjs"));
  expect(names.toSorted()).toEqual(files);
});
