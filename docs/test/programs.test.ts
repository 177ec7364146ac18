import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { startServer } from "@petstore/server/start-server";
import { root } from "@petstore/test-kit/checkout";
import { serve, temporaryDirectory } from "@petstore/test-kit/processes";
import { expect, test } from "vitest";
import { blockOf, blocksOf } from "./pages.ts";

const run = promisify(execFile);

/** Packs the client as a page says, into a project that is made for it, and installs it there without a registry. Returns the project. */
async function installClient(page: string, directory: string): Promise<string> {
  const [install, build, pack = "", enter = "", ...others] = blockOf(page, "npx pnpm@12 install").split("\n");
  // Done by now: the test itself needs both.
  expect([install, build, ...others]).toEqual(["npx pnpm@12 install", "npx pnpm@12 build"]);
  const place = / --pack-destination (\S+)$/.exec(pack)?.[1] ?? "";
  expect(place).toMatch(/^\.\.\/[a-z-]+$/);
  expect(enter).toBe(`cd ${place} && npm install ./petstore-client-*.tgz`);
  const project = join(directory, place);
  mkdirSync(directory);
  await runLine(pack.replace("npx pnpm@12", "pnpm").replace(place, project), root);
  await runLine(enter.replace(place, project).replace("install", "install --offline --no-audit --no-fund"), directory);
  return project;
}

async function runLine(line: string, cwd: string): Promise<void> {
  await run("sh", ["-e", "-c", line], { cwd });
}

test("the program of README.md compiles with the packed client, adds an animal and lists it", async () => {
  using directory = temporaryDirectory();
  await using server = await startServer();
  const project = await installClient("README.md", join(directory.path, "checkout"));
  const [program, ...others] = blocksOf("README.md").filter(({ language }) => language === "ts");
  expect(others).toEqual([]);
  const code = program?.code.replace("http://127.0.0.1:8080/v1", server.url).replace("pst_test_…", server.apiKey) ?? "";
  writeFileSync(join(project, "program.mts"), code);
  symlinkSync(join(root, "packages/client/node_modules/@types"), join(project, "node_modules/@types"));
  const settings = { extends: join(root, "packages/client/test/tsconfig.json"), include: ["*.mts"] };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(settings));

  const compiler = join(root, "docs/node_modules/.bin/tsc");
  const { stdout: problems } = await run(compiler, ["-p", project]).catch((error: { stdout: string }) => error);
  expect(problems).toBe("");
  const ended = await run(process.execPath, ["program.mts"], { cwd: project });
  expect(ended).toEqual({ stdout: "1 available\nRex\n", stderr: "" });
});

test("the program of docs/tutorial.md prints the shown output", async () => {
  using directory = temporaryDirectory();
  await using server = await serve(directory.path, { args: ["--dev"], environment: { PETSTORE_PORT: "0" } });
  const project = await installClient("docs/tutorial.md", join(directory.path, "checkout"));
  writeFileSync(join(project, "adopt.mjs"), blockOf("docs/tutorial.md", "import { createPetstoreClient }"));
  const key = /pst_test_\w+/.exec(server.stdout())?.[0] ?? "";
  const environment = { ...process.env, URL: server.url, KEY: key };
  const command = blockOf("docs/tutorial.md", "PETSTORE_BASE_URL=");
  const { stdout } = await run("sh", ["-e", "-c", command], { cwd: project, env: environment });
  expect(stdout.trim()).toBe(blockOf("docs/tutorial.md", "Nala is in"));
});
