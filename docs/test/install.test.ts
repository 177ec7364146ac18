import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";
import { start, temporaryDirectory } from "@petstore/test-servers/processes";
import { expect, test } from "vitest";

const pnpm = join(root, "node_modules/.bin/pnpm");

/**
 * Packages that only developers need, of the root and of a workspace, and packages that the
 * programs need.
 */
const forDevelopment = ["node_modules/tool", "apps/cli/node_modules/tool"];
const forPrograms = [
  "apps/cli/node_modules/@petstore/client",
  "apps/server/node_modules/@petstore/service",
];

/**
 * A checkout with the workspaces that `scripts/install.mjs` knows, and with no package from
 * elsewhere.
 */
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
    test: "node scripts/install.mjs all && node --version",
    postinstall: "node scripts/link-pnpm.mjs",
  };
  writeManifest(".", "petstore", {}, { ...tool, scripts });
  writeManifest("apps/cli", "@petstore/cli", { "@petstore/client": "workspace:*" }, tool);
  writeManifest("apps/web", "@petstore/web", {}, tool);
  writeManifest("apps/server", "@petstore/server", { "@petstore/service": "workspace:*" });
  writeManifest("packages/client", "@petstore/client");
  writeManifest("packages/service", "@petstore/service");
  writeManifest("tools/tool", "tool");
  write(
    "pnpm-workspace.yaml",
    "packages: [apps/*, packages/*, tools/*]\nverifyDepsBeforeRun: false\nloglevel: warn\n",
  );
  mkdirSync(at("scripts"));
  for (const script of ["scripts/install.mjs", "scripts/link-pnpm.mjs"])
    copyFileSync(join(root, script), at(script));

  const environment = { ...(process.env as Record<string, string>), pnpm_config_offline: "true" };
  const run = (program: string, ...args: string[]) =>
    start(program, args, { directory: directory.path, environment });

  /** Runs a script of the root. Returns whether packages were installed, or looked at. */
  async function installs(name: string): Promise<boolean> {
    const ended = await run(pnpm, "run", name).ended;
    expect(ended).toMatchObject({ exitCode: 0, stdout: `${process.version}\n` });
    return /^(?:Installing packages|Done in)/m.test(ended.stderr);
  }

  await run(pnpm, "install", "--lockfile-only").ended;
  return {
    ...directory,
    at,
    run,
    installs,
    write,
    read: (path: string) => readFileSync(at(path), "utf8"),
    remove: (path: string) => rmSync(at(path), { recursive: true }),
    installed: (paths: readonly string[]) => paths.filter((path) => existsSync(at(path))),
  };
}

test("0: the packages of the programs are installed before them, once, and again when the checkout has changed; the tests add what they need", async () => {
  using checkout = await makeCheckout();
  expect(await checkout.installs("petstore")).toBe(true);
  expect(checkout.installed([...forPrograms, ...forDevelopment])).toEqual(forPrograms);
  expect(await checkout.installs("petstore")).toBe(false);
  for (const file of ["pnpm-lock.yaml", "pnpm-workspace.yaml", "apps/cli/package.json"]) {
    checkout.write(file, `${checkout.read(file)}\n`);
    expect(await checkout.installs("petstore")).toBe(true);
  }
  checkout.remove("node_modules");
  expect(await checkout.installs("test")).toBe(true);
  // For turbo, which npx starts with the installed programs on the PATH.
  expect(realpathSync(checkout.at("node_modules/.bin/pnpm"))).toBe(realpathSync(pnpm));
  expect(await checkout.installs("petstore")).toBe(false);
  checkout.write("pnpm-lock.yaml", `${checkout.read("pnpm-lock.yaml")}\n`);
  expect(await checkout.installs("petstore")).toBe(true);
  expect(checkout.installed([...forPrograms, ...forDevelopment])).toEqual([
    ...forPrograms,
    ...forDevelopment,
  ]);
});

test("0: no script that installs packages runs Node again in the same shell, which would go on with the Node that it found first", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const installing = Object.entries(scripts).filter(([, script]) =>
    script.includes("scripts/install.mjs"),
  );
  expect(installing.length).toBeGreaterThan(5);
  expect(
    installing.filter(([, script]) => /&& .*\bnode\b/.test(script)).map(([name]) => name),
  ).toEqual([]);
});

test("1: a script ends with the error of pnpm, and installs again the next time", async () => {
  using checkout = await makeCheckout();
  const manifest = checkout.read("apps/cli/package.json");
  checkout.write("apps/cli/package.json", manifest.replace("@petstore/client", "@petstore/absent"));
  const ended = await checkout.run(pnpm, "run", "petstore").ended;
  expect(ended).toMatchObject({ exitCode: 1, stdout: "" });
  expect(ended.stderr).toContain("@petstore/absent");
  checkout.write("apps/cli/package.json", manifest);
  expect(await checkout.installs("petstore")).toBe(true);
});

test("1: npm leads to the same command of pnpm", async () => {
  using checkout = await makeCheckout();
  for (const [args, command] of [
    [["test"], "test"],
    [["run", "petstore"], "petstore"],
  ] as const) {
    const { exitCode, stderr } = await checkout.run("npm", ...args).ended;
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`Use pnpm: npx pnpm@12 ${command}\n`);
  }
  checkout.write("package.json", read("package.json"));
  const npm = await checkout.run("npm", "install").ended;
  expect(npm).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("Use pnpm: npx pnpm@12 install\n"),
  });
});
