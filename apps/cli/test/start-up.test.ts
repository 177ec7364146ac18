import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { binary } from "./support/binary.ts";
import { test } from "./support/fixtures.ts";

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
test.for(["--help", "pets import --help", "help pets"])(
  "0: petstore %s loads only what it runs",
  async (commandLine, { home }) => {
    const loaded = await loadedBy([binary, ...commandLine.split(" ")], home, {});
    expect(loaded).toEqual({ files: ["petstore", "start"], builtins: ["module", "os"] });
  },
);

test("0: petstore pets list loads only what it runs, and what a fetch loads", async ({ home, server }) => {
  const connection = { PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: server.apiKey };
  const file = join(home, "fetch.mjs");
  writeFileSync(file, `await (await fetch(process.env.PETSTORE_BASE_URL + "/pets")).body.getReader().read();`);
  const { builtins } = await loadedBy([file], home, connection);
  const files = ["context", "pets", "petstore", "rolldown-runtime", "shared", "start"];
  expect(await loadedBy([binary, "pets", "list"], home, connection)).toEqual({
    files,
    builtins: [...builtins, "module"].toSorted(),
  });
});
