import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { start, temporaryDirectory, type Ended } from "@petstore/test-kit/processes";
import { expect, test } from "vitest";

/** The pnpm that runs the tests. */
const pnpm = process.env["npm_execpath"] ?? "pnpm";
/** A program that has ended, by its process id. */
const endedProcess = 2 ** 22 + 1; // Linux has no higher one than 2 ** 22

/** Where packages are that only developers need: for the root, and for a workspace. */
const forDevelopment = ["node_modules/tool", "apps/cli/node_modules/tool"];
/** Where packages are that the programs need. */
const forPrograms = ["apps/cli/node_modules/@petstore/client", "apps/server/node_modules/@petstore/service"];

/** A checkout with the workspaces that `scripts/install.mjs` knows, and with no package from elsewhere. */
async function makeCheckout() {
  const directory = temporaryDirectory();
  const at = (path: string) => join(directory.path, path);

  function write(path: string, content: unknown): void {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), typeof content === "string" ? content : JSON.stringify(content));
  }

  function writeManifest(workspace: string, name: string, dependencies = {}, others = {}): void {
    write(join(workspace, "package.json"), { name, version: "1.0.0", dependencies, ...others });
  }

  const tool = { devDependencies: { tool: "workspace:*" } };
  const scripts = {
    prepetstore: "node scripts/install.mjs run",
    petstore: "node --version",
    pretest: "node scripts/install.mjs all",
    test: "node --version",
  };
  writeManifest(".", "petstore", {}, { ...tool, scripts });
  writeManifest("apps/cli", "@petstore/cli", { "@petstore/client": "workspace:*" }, tool);
  writeManifest("apps/server", "@petstore/server", { "@petstore/service": "workspace:*" });
  writeManifest("packages/client", "@petstore/client");
  writeManifest("packages/service", "@petstore/service");
  writeManifest("tools/tool", "tool");
  write("pnpm-workspace.yaml", "packages: [apps/*, packages/*, tools/*]\nverifyDepsBeforeRun: false\n");
  mkdirSync(at("scripts"));
  copyFileSync(join(root, "scripts/install.mjs"), at("scripts/install.mjs"));

  const environment = { ...(process.env as Record<string, string>), pnpm_config_offline: "true" };

  async function run(program: string, ...args: string[]): Promise<Ended> {
    await using command = start(program, args, { directory: directory.path, environment });
    return await command.ended;
  }

  /** Runs a script of the root. Returns whether packages were installed, or looked at. */
  async function runScript(name: string): Promise<boolean> {
    const ended = await run(pnpm, "run", name);
    expect(ended).toMatchObject({ exitCode: 0, stdout: `${process.version}\n` });
    return ended.stderr.includes("Done in");
  }

  await run(pnpm, "install", "--lockfile-only");
  return {
    ...directory,
    run,
    runScript,
    write,
    read: (path: string) => readFileSync(at(path), "utf8"),
    remove: (path: string) => rmSync(at(path), { recursive: true }),
    installed: (paths: readonly string[]) => paths.filter((path) => existsSync(at(path))),
    changeLockFile: () => write("pnpm-lock.yaml", `${readFileSync(at("pnpm-lock.yaml"), "utf8")}\n`),
  };
}

const lock = "node_modules/.petstore-installing";
const stamp = "node_modules/.petstore-installed";

test("0: the packages of the programs are installed before them, once, and nothing else", async () => {
  using checkout = await makeCheckout();
  expect(await checkout.runScript("petstore")).toBe(true);
  expect(checkout.installed(forPrograms)).toEqual(forPrograms);
  expect(checkout.installed(forDevelopment)).toEqual([]);
  expect(await checkout.runScript("petstore")).toBe(false);
});

test.each([
  ["the lock file", "pnpm-lock.yaml"],
  ["the settings of pnpm", "pnpm-workspace.yaml"],
  ["a manifest", "apps/cli/package.json"],
])("0: a change of %s is noticed", async (_, file) => {
  using checkout = await makeCheckout();
  await checkout.runScript("petstore");
  checkout.write(file, `${checkout.read(file)}\n`);
  expect(await checkout.runScript("petstore")).toBe(true);
  expect(await checkout.runScript("petstore")).toBe(false);
});

test.each([
  ["its node_modules", "node_modules"],
  ["what says that it is installed", stamp],
])("0: a checkout that lost %s is installed again", async (_, path) => {
  using checkout = await makeCheckout();
  await checkout.runScript("petstore");
  checkout.remove(path);
  expect(await checkout.runScript("petstore")).toBe(true);
  expect(await checkout.runScript("petstore")).toBe(false);
  checkout.write(stamp, "damaged");
  expect(await checkout.runScript("petstore")).toBe(true);
});

test("0: the tests add what they need, and the programs leave it installed when the lock file changes", async () => {
  using checkout = await makeCheckout();
  await checkout.runScript("petstore");
  await checkout.runScript("test");
  expect(checkout.installed(forDevelopment)).toEqual(forDevelopment);
  checkout.changeLockFile();
  expect(await checkout.runScript("petstore")).toBe(true);
  expect(checkout.installed([...forPrograms, ...forDevelopment])).toEqual([...forPrograms, ...forDevelopment]);
});

test("0: packages of `pnpm install` stay installed", async () => {
  using checkout = await makeCheckout();
  expect(await checkout.run(pnpm, "install")).toMatchObject({ exitCode: 0 });
  expect(await checkout.runScript("petstore")).toBe(true);
  expect(await checkout.runScript("petstore")).toBe(false);
  expect(checkout.installed(forDevelopment)).toEqual(forDevelopment);
});

test("0: two scripts that start at the same time install one after the other", async () => {
  using checkout = await makeCheckout();
  await Promise.all([checkout.runScript("petstore"), checkout.runScript("test"), checkout.runScript("petstore")]);
  expect(checkout.installed([...forPrograms, ...forDevelopment])).toEqual([...forPrograms, ...forDevelopment]);
  expect(checkout.installed([lock])).toEqual([]);
});

test("0: a script waits while another one installs", async () => {
  using checkout = await makeCheckout();
  checkout.write(lock, String(process.pid));
  const environment = process.env as Record<string, string>;
  await using waiting = start(pnpm, ["run", "petstore"], { directory: checkout.path, environment });
  await expect.poll(() => waiting.stderr(), { timeout: 30_000 }).toContain(`Waiting for process ${process.pid}`);
  expect(checkout.installed(forPrograms)).toEqual([]);
  checkout.remove(lock);
  expect(await waiting.ended).toMatchObject({ exitCode: 0 });
  expect(checkout.installed(forPrograms)).toEqual(forPrograms);
});

test("0: an installation that was killed is begun again", async () => {
  using checkout = await makeCheckout();
  checkout.write(lock, String(endedProcess));
  expect(await checkout.runScript("petstore")).toBe(true);
  expect(checkout.installed(forPrograms)).toEqual(forPrograms);
});

test("1: a script ends with the error of pnpm, and installs again the next time", async () => {
  using checkout = await makeCheckout();
  const manifest = checkout.read("apps/cli/package.json");
  checkout.write("apps/cli/package.json", manifest.replace("@petstore/client", "@petstore/absent"));
  const ended = await checkout.run(pnpm, "run", "petstore");
  expect(ended).toMatchObject({ exitCode: 1, stdout: "" });
  expect(ended.stderr).toContain("@petstore/absent");
  checkout.write("apps/cli/package.json", manifest);
  expect(await checkout.runScript("petstore")).toBe(true);
});

test("1: npm is rejected: pnpm must run the script", async () => {
  using checkout = await makeCheckout();
  const ended = await checkout.run("npm", "run", "petstore");
  expect(ended.exitCode).toBe(1);
  expect(ended.stderr).toContain("Run this with pnpm, as in: npx pnpm@12 start");
});
