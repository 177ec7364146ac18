import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { read, root } from "@petstore/test-kit/checkout";
import { serve, temporaryDirectory } from "@petstore/test-servers/processes";
import { expect, test } from "vitest";
import { blockOf } from "./pages.ts";

const run = promisify(execFile);

/** Packs the client as README.md says, and installs it without a registry. Turbo has built it; first-start.proof.test.ts runs every line. */
async function installClient(directory: string): Promise<string> {
  const readme = blockOf("README.md", "npx pnpm@12 install");
  expect(blockOf("docs/tutorial.md", "npx pnpm@12 install").replaceAll("../adopt", "../my-project")).toBe(readme);
  const [, , pack = "", enter = "", ...others] = readme.split("\n");
  expect(others).toEqual([]);
  const [checkout, project] = [join(directory, "checkout"), join(directory, "my-project")];
  mkdirSync(checkout);
  await run("sh", ["-c", pack.replace("npx pnpm@12", "pnpm").replace("../my-project", `"${project}"`)], { cwd: root });
  const offline = enter.replace("install", "install --offline --no-audit --no-fund");
  await run("sh", ["-c", offline], { cwd: checkout });
  return project;
}

test("the programs of README.md and docs/tutorial.md compile with the packed client, and print the shown output", async () => {
  using directory = temporaryDirectory();
  await using server = await serve(directory.path, { args: ["--dev"], environment: { PETSTORE_PORT: "0" } });
  const key = /pst_test_\w+/.exec(server.stdout())?.[0] ?? "";
  const project = await installClient(directory.path);
  const code = blockOf("README.md", "import { createPetstoreClient }");
  writeFileSync(
    join(project, "program.mts"),
    code.replace("http://127.0.0.1:8080/v1", server.url).replace("pst_test_…", key),
  );
  symlinkSync(join(root, "packages/client/node_modules/@types"), join(project, "node_modules/@types"));
  const settings = { extends: join(root, "packages/client/test/tsconfig.json"), include: ["*.mts"] };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(settings));

  const compiler = join(root, "docs/node_modules/.bin/tsc");
  const { stdout: problems } = await run(compiler, ["-p", project]).catch((error: { stdout: string }) => error);
  expect(problems).toBe("");
  // Node warns of a module in another file: the package.json of the project does not say that its files are modules.
  const [, saved = ""] = /Save the program there as `([^`]+)`/.exec(read("README.md")) ?? [];
  copyFileSync(join(project, "program.mts"), join(project, saved));
  const ended = await run(process.execPath, [saved], { cwd: project });
  expect(ended).toEqual({ stdout: expect.stringMatching(/^21 pending\nBella\n(?:(?!Rex).+\n)+$/), stderr: "" });

  writeFileSync(join(project, "adopt.mjs"), blockOf("docs/tutorial.md", "import { createPetstoreClient }"));
  const environment = { ...process.env, URL: server.url, KEY: key };
  const command = blockOf("docs/tutorial.md", "PETSTORE_BASE_URL=");
  const { stdout } = await run("sh", ["-e", "-c", command], { cwd: project, env: environment });
  expect(stdout.trim()).toBe(blockOf("docs/tutorial.md", "Nala is in"));
});
