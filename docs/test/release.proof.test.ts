import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { expectNoProblems } from "@petstore/test-kit/problems";
import { temporaryDirectory } from "@petstore/test-servers/processes";
import { expect, test } from "vitest";
import { install, packageManagers } from "./package-managers.ts";
import { blockOf, blocksOfText, isTyped } from "./pages.ts";
import { startRehearsal } from "./rehearsal.ts";
import { problemsOf, stepsOf } from "./session.ts";

/** The first program of a README, and what it prints by its comments. */
function programOf(readme: string): { code: string; output: string } {
  const { code = "" } = blocksOfText("README.md", readme).find(({ language }) => language === "ts") ?? {};
  return { code, output: [...code.matchAll(/\/\/ → (.*)/g)].map(([, line]) => `${line}\n`).join("") };
}

/** The files of installed packages that contain a text. */
function filesWith(text: string, directory: string): string[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  expect(paths.length).toBeGreaterThan(20);
  return paths.filter((path) => readFileSync(path, "latin1").includes(text));
}

test("0: the release workflow publishes a first release, a fix and a breaking change, and every package manager installs packages whose READMEs work", async ({
  task,
}) => {
  task.meta.promise = "release";
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

  const added = ["@petstore/client", "@petstore/cli"];
  const user = await install("npm", added, directory.path, registry.url);
  for (const place of [root, checkout.path, registry.url])
    expect(filesWith(place, join(user.modules, "@petstore"))).toEqual([]);
  const [client = "", tool = ""] = added.map((name) => readFileSync(join(user.modules, name, "README.md"), "utf8"));
  const { code, output } = programOf(client);
  for (const manager of packageManagers) {
    const project = await install(manager, added, directory.path, registry.url);
    expect(await project.run(code)).toBe(output);
    expect(await project.petstore("--version")).toBe("1.0.0\n");
  }
  const steps = blocksOfText("README.md", tool).filter(isTyped).flatMap(stepsOf);
  expect(steps.length).toBeGreaterThan(5);
  await user.shell(blockOf("apps/cli/README.md", "npm install --global @petstore/cli"));
  expectNoProblems(await problemsOf("README.md", steps, join(directory.path, "global/bin/petstore")));

  /** Changes a file of the checkout, and adds a note about it. */
  function change(file: string, pattern: RegExp, replacement: string, size: string, note: string): void {
    const path = join(checkout.path, file);
    writeFileSync(path, readFileSync(path, "utf8").replace(pattern, replacement));
    const text = `---\n"@petstore/client": ${size}\n---\n\n${note}\n`;
    writeFileSync(join(checkout.path, ".changeset/change.md"), text);
  }
  const compare = () => checkout.runIn(".", "node", "tests/client-package/scripts/compare-release.ts");

  change("packages/client/src/index.ts", /^/, "// Fixed.\n", "patch", "Fix one thing");
  expect(await compare()).toBe("Every program that works with @petstore/client@1.0.0 works with this checkout.\n");
  await rehearsal.merge("Fix one thing");
  await release();
  expect(notesOf("client@1.0.1")).toMatch(/^\n### Patch Changes\n\n- \w+: Fix one thing\n+$/);
  // It contains the client.
  expect(notesOf("cli@1.0.1")).toMatch(/^\n### Patch Changes\n\n.*\n.*@petstore\/client@1\.0\.1\n+$/);

  const rename = ["packages/contract/src/fields.ts", /"sold"/, '"adopted"'] as const;
  change(...rename, "minor", "Rename a status");
  await checkout.runIn("packages/contract", "node", "scripts/write-openapi.ts");
  await expect(compare()).rejects.toThrow("This breaks programs that work with @petstore/client@1.0.1.");
  change(...rename, "major", "Rename a status");
  expect(await compare()).toContain("The next release is a major one");
  await rehearsal.merge("Rename a status");
  await release();
  expect(notesOf("client@2.0.0")).toMatch(/^\n### Major Changes\n\n- \w+: Rename a status\n+$/);
  const statuses = 'import { petStatuses } from "@petstore/client";\nconsole.log(petStatuses.join());';
  expect(await user.run(statuses)).toBe("available,pending,sold\n");
  await user.add("@petstore/client@latest");
  expect(await user.run(statuses)).toBe("available,pending,adopted\n");

  expect(rehearsal.releases()).toEqual([
    "@petstore/cli@1.0.0 petstore-cli-1.0.0.tgz petstore-cli.cdx.json",
    "@petstore/client@1.0.0 petstore-client-1.0.0.tgz petstore-client.cdx.json",
    "@petstore/cli@1.0.1 petstore-cli-1.0.1.tgz petstore-cli.cdx.json",
    "@petstore/client@1.0.1 petstore-client-1.0.1.tgz petstore-client.cdx.json",
    "@petstore/cli@1.0.2 petstore-cli-1.0.2.tgz petstore-cli.cdx.json",
    "@petstore/client@2.0.0 petstore-client-2.0.0.tgz petstore-client.cdx.json",
  ]);
  task.meta.figure = `${rehearsal.releases().length} packages published, installed with ${packageManagers.join(", ")}`;
});
