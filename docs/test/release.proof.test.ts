import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { resolveTool } from "@petstore/test-kit/tools";
import { temporaryDirectory } from "@petstore/test-servers/processes";
import { expect, test } from "vitest";
import { outputOf } from "./checkout-copy.ts";
import { blockOf, blocksOfText } from "./markdown-pages.ts";
import { startRehearsal } from "./rehearsal.ts";
import { problemsOf } from "./session.ts";
import { stepsOf } from "./steps.ts";

const yarn = ["node", resolveTool("@yarnpkg/cli-dist/bin/yarn.js")];
const bun = resolveTool("@oven/bun-linux-x64-baseline/bin/bun");

/** How users add packages to a project, and start a program in it: a file, or one of a package. */
const packageManagers = {
  npm: { add: ["npm", "install"], file: ["node"], program: ["npx", "--offline"] },
  pnpm: { add: ["pnpm", "add"], file: ["node"], program: ["pnpm", "exec"] },
  yarn: { add: [...yarn, "add"], file: [...yarn, "node"], program: [...yarn, "run"] },
  bun: { add: [bun, "add"], file: [bun], program: [bun, "run"] },
};

/** Makes an empty project, and adds packages of a registry to it. */
async function install(
  manager: keyof typeof packageManagers,
  packages: readonly string[],
  home: string,
  registry: string,
) {
  const commands = packageManagers[manager];
  const project = mkdtempSync(join(home, `a project with ${manager} `));
  writeFileSync(join(project, "package.json"), '{"private":true,"type":"module"}');
  writeFileSync(join(project, "yarn.lock"), ""); // says that the project is not a part of another

  const env = {
    ...process.env,
    HOME: home,
    npm_config_registry: registry,
    npm_config_prefix: join(home, "global"),
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
    YARN_NPM_MINIMAL_AGE_GATE: "0", // by default, it installs no release of the last days
    YARN_ENABLE_TELEMETRY: "0",
  };
  const run = (command: readonly string[]) => outputOf(command, { cwd: project, env });
  const add = async (...added: readonly string[]) => void (await run([...commands.add, ...added]));
  await add(...packages);
  return {
    add,
    modules: join(project, "node_modules"),
    /** Runs commands of a README. */
    shell: (script: string) => run(["sh", "-e", "-c", script]),
    petstore: (...args: readonly string[]) => run([...commands.program, "petstore", ...args]),
    /** Runs a program of the user's. */
    run(program: string): Promise<string> {
      writeFileSync(join(project, "program.mjs"), program);
      return run([...commands.file, "program.mjs"]);
    },
  };
}

/** The first program of a README, and what it prints by its comments. */
function programOf(readme: string): { code: string; output: string } {
  const { code = "" } =
    blocksOfText("README.md", readme).find(({ language }) => language === "ts") ?? {};
  return {
    code,
    output: [...code.matchAll(/\/\/ → (.*)/g)].map(([, line]) => `${line}\n`).join(""),
  };
}

/** The files of installed packages that contain a text. */
function filesWith(text: string, directory: string): string[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  expect(paths.length).toBeGreaterThan(20);
  return paths.filter((path) => readFileSync(path, "latin1").includes(text));
}

test("0: the release workflow publishes a first release, a fix and a breaking change, and every package manager installs packages whose READMEs work", async () => {
  using directory = temporaryDirectory();
  await using rehearsal = await startRehearsal(directory.path);
  const { checkout, registry, notesOf } = rehearsal;

  async function release(): Promise<void> {
    expect(await rehearsal.plan()).toBe("version");
    await rehearsal.version();
    expect(await rehearsal.plan()).toBe("publish");
    await rehearsal.publish();
    expect(await rehearsal.plan()).toBe("none");
  }

  await release();
  expect(notesOf("client@1.0.0")).toContain("First release: a typed client");
  expect(notesOf("cli@1.0.0")).toContain("First release: `petstore`");
  const fileOf = (path: string) => readFileSync(join(checkout.path, path), "utf8");
  expect(fileOf("README.md")).toContain(
    "\nVersion 1.0.0 of the client and of the command line is on npm.\n",
  );
  expect(fileOf("docs/deployment.md")).toContain(" petstore-server:1.0.0\n");
  expect(await checkout.runIn(".", "node", "apps/server/src/main.ts", "--version")).toBe("1.0.0\n");
  await checkout.runIn("site", "pnpm", "run", "build");
  expect(fileOf("site/dist/index.html")).toMatch(
    /<header class="VPNav"[^]*>Changes · 1\.0\.0<[^]*<\/header>/,
  );
  expect(fileOf("site/dist/changes.html")).toContain("First release: a typed client");

  const added = ["@petstore/client", "@petstore/cli"];
  const user = await install("npm", added, directory.path, registry.url);
  for (const place of [root, checkout.path, registry.url])
    expect(filesWith(place, join(user.modules, "@petstore"))).toEqual([]);
  const [client = "", tool = ""] = added.map((name) =>
    readFileSync(join(user.modules, name, "README.md"), "utf8"),
  );
  expect(client).toContain("`@petstore/client` 1.0.0 is on npm.");
  expect(tool).toContain("`@petstore/cli` 1.0.0 is on npm.");
  expect(client + tool).not.toMatch(/(?:not|[Nn]othing is) released/);
  const { code, output } = programOf(client);
  const managers = ["npm", "pnpm", "yarn", "bun"] as const;
  for (const manager of managers) {
    const project = await install(manager, added, directory.path, registry.url);
    expect(await project.run(code)).toBe(output);
    expect(await project.petstore("--version")).toBe("1.0.0\n");
  }
  const [, building, ...blocks] = blocksOfText("README.md", tool);
  expect(building?.code).toContain("pack"); // the release has done so
  const steps = stepsOf(blocks);
  expect(steps.length).toBeGreaterThan(5);
  await user.shell(blockOf("apps/cli/README.md", "npm install --global @petstore/cli"));
  const petstore = join(directory.path, "global/bin/petstore");
  expect(await problemsOf("README.md", steps, { petstore })).toEqual([]);

  /** Changes a file of the checkout, and adds a note about it. */
  function change(
    file: string,
    pattern: RegExp,
    replacement: string,
    size: string,
    note: string,
  ): void {
    const path = join(checkout.path, file);
    writeFileSync(path, readFileSync(path, "utf8").replace(pattern, replacement));
    const text = `---\n"@petstore/client": ${size}\n---\n\n${note}\n`;
    writeFileSync(join(checkout.path, ".changeset/change.md"), text);
  }
  const compare = () =>
    checkout.runIn(".", "node", "tests/client-package/scripts/compare-release.ts");

  change("packages/client/src/index.ts", /^/, "// Fixed.\n", "patch", "Fix one thing");
  expect(await compare()).toBe(
    "Every program that works with @petstore/client@1.0.0 works with this checkout.\n",
  );
  await rehearsal.merge("Fix one thing");
  await release();
  expect(notesOf("client@1.0.1")).toMatch(/^\n### Patch Changes\n\n- \w+: Fix one thing\n+$/);
  // It contains the client.
  expect(notesOf("cli@1.0.1")).toMatch(
    /^\n### Patch Changes\n\n.*\n.*@petstore\/client@1\.0\.1\n+$/,
  );

  const rename = ["packages/contract/src/fields.ts", /"sold"/, '"adopted"'] as const;
  change(...rename, "minor", "Rename a status");
  await checkout.runIn("packages/contract", "node", "scripts/write-openapi.ts");
  await expect(compare()).rejects.toThrow(
    "This breaks programs that work with @petstore/client@1.0.1.",
  );
  change(...rename, "major", "Rename a status");
  expect(await compare()).toContain("The next release is a major one");
  await rehearsal.merge("Rename a status");
  await release();
  expect(notesOf("client@2.0.0")).toMatch(/^\n### Major Changes\n\n- \w+: Rename a status\n+$/);
  const statuses =
    'import { petStatuses } from "@petstore/client";\nconsole.log(petStatuses.join());';
  expect(await user.run(statuses)).toBe("available,pending,sold\n");
  await user.add("@petstore/client@latest");
  expect(await user.run(statuses)).toBe("available,pending,adopted\n");

  expect(rehearsal.releases()).toEqual([
    "@petstore/cli@1.0.0 petstore-cli-1.0.0.tgz petstore-cli.cdx.json",
    "@petstore/client@1.0.0 petstore-client-1.0.0.tgz petstore-client.cdx.json",
    "@petstore/cli@1.0.1 petstore-cli-1.0.1.tgz petstore-cli.cdx.json",
    "@petstore/client@1.0.1 petstore-client-1.0.1.tgz petstore-client.cdx.json",
    "@petstore/cli@2.0.0 petstore-cli-2.0.0.tgz petstore-cli.cdx.json",
    "@petstore/client@2.0.0 petstore-client-2.0.0.tgz petstore-client.cdx.json",
  ]);
});
