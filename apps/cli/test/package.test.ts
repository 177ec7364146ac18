import { execFile } from "node:child_process";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { pack } from "@petstore/client-package/pack";
import { runtimes } from "@petstore/client-package/runtimes";
import { temporaryDirectory } from "@petstore/server/processes";
import { startServer } from "@petstore/server/start-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { connected } from "./petstore.ts";

const run = promisify(execFile);
const directory = temporaryDirectory();
const modules = join(directory.path, "project", "node_modules");
const installed = join(modules, "@petstore", "cli");

// Packed as a release does it, and installed as a user does it who has no registry to get anything else from.
beforeAll(async () => {
  const tarball = await pack(join(import.meta.dirname, ".."), directory.path);
  const project = dirname(modules);
  await mkdir(project);
  const cache = `--cache=${join(directory.path, "cache")}`;
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", cache, tarball], { cwd: project });
}, 60_000);

afterAll(() => directory[Symbol.dispose]());

test("0: the package is the program, its manual, its changes and its licence, and installs nothing else", async () => {
  const files = await readdir(installed, { recursive: true });
  expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json", "dist/petstore.js"]));
  const others = files.filter(
    (file) => !/^(?:dist|dist\/petstore\.js|LICENSE|README\.md|CHANGELOG\.md|package\.json)$/.test(file),
  );
  expect(others).toEqual([]);
  expect((await readdir(modules)).filter((name) => !name.startsWith("."))).toEqual(["@petstore"]);
  expect(await readdir(join(modules, "@petstore"))).toEqual(["cli"]);
});

test("0: the manifest has one program and no dependency", async () => {
  const manifest: unknown = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  expect(manifest).toMatchObject({
    bin: { petstore: "./dist/petstore.js" },
    type: "module",
    engines: { node: ">=22.12" },
    publishConfig: { access: "public", provenance: true },
  });
  for (const field of ["dependencies", "peerDependencies", "optionalDependencies", "bundleDependencies"]) {
    expect(manifest).not.toHaveProperty(field);
  }
});

test.each(runtimes)("0: the installed petstore works on Node $major", { timeout: 30_000 }, async ({ major, node }) => {
  using home = temporaryDirectory();
  await using server = await startServer();
  const environment = { PATH: dirname(node), HOME: home.path, ...connected(server) };

  /** Runs it as a shell does: the first line of the file says with what. */
  async function petstore(...args: readonly string[]): Promise<string> {
    const { stdout } = await run(join(modules, ".bin", "petstore"), args, { env: environment });
    return stdout;
  }

  expect(await petstore("--version")).toBe(`${packageJson.version}\n`);
  expect(await petstore("doctor")).toContain(`Node v${major}.`);
  const rex = { id: 1, name: "Rex", categoryId: "9223372036854775807", status: "available" };
  await petstore("pets", "create", "--name", "Rex", "--category-id", rex.categoryId);
  expect(await petstore("pets", "list")).toBe(`${JSON.stringify(rex).replace(/"(\d+)"/, "$1")}\n`);
  expect(await petstore("orders", "list", "-q")).toBe("");
  expect(await petstore("auth", "status")).toContain('"profile":"default"');
  expect(await petstore("config", "get", "base-url")).toBe(`${server.url}\n`);
  expect(await petstore("__complete", "--", "=doc")).toMatch(/^doctor\t/);
  const importing = run(join(modules, ".bin", "petstore"), ["pets", "import", "-"], { env: environment });
  importing.child.stdin?.end('{"name":"Tom","categoryId":1}\n');
  expect((await importing).stdout).toBe('{"added":1,"alreadyAdded":0,"refused":0}\n');
});
