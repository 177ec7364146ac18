import { execFile } from "node:child_process";
import { cpSync, globSync, readFileSync, symlinkSync } from "node:fs";
import { devNull } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { read, root } from "@petstore/test-kit/checkout";
import { temporaryDirectory } from "@petstore/test-kit/processes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blockOf } from "./pages.ts";

const page = "docs/adding-an-operation.md";
const patch = "docs/get-inventory.patch";

/** The files of the patch, in its order. */
const patched = [...read(patch).matchAll(/^diff --git a\/(\S+) /gm)].map(([, file = ""]) => file);

const copy = temporaryDirectory();
afterAll(() => copy[Symbol.dispose]());

/** The checkout as a clone of it would be, with what is not committed yet, whether it is a repository or an unpacked archive. */
async function cloneCheckout(): Promise<void> {
  const author = ["-c", "user.name=test", "-c", "user.email=test@petstore.example"];
  await runIn(".", "git", "init", "--quiet");
  await runIn(".", "git", "--git-dir=.git", `--work-tree=${root}`, "add", "--all");
  await runIn(".", "git", ...author, "commit", "--quiet", "--message", "Copy");
  await runIn(".", "git", "reset", "--quiet", "--hard");
}

/** Gives the copy what is installed in the checkout. Links between workspaces are relative: they lead into the copy. */
function linkPackages(): void {
  symlinkSync(join(root, "node_modules"), join(copy.path, "node_modules"));
  for (const installed of globSync("*{,/*}/node_modules", { cwd: root, exclude: ["node_modules"] })) {
    cpSync(join(root, installed), join(copy.path, installed), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !basename(path).startsWith(".vite"), // files of other runs, which come and go
    });
  }
}

/**
 * The environment without what tells Git of another repository, as a hook has it: commands here would change that one. And without
 * the settings of whoever runs this: they change how a patch looks, or sign commits.
 */
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"))),
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_SYSTEM: devNull,
  PETSTORE_TEST_SHIPPED: "", // a build would not have the change
};

/** Runs a program in a workspace of the copy. @throws {Error} with what it printed, when it fails */
async function runIn(workspace: string, program: string, ...args: readonly string[]): Promise<string> {
  const cwd = join(copy.path, workspace);
  try {
    return (await promisify(execFile)(program, args, { cwd, env: environment, timeout: 120_000 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(" ")} in ${workspace}:\n${stdout}${stderr}`, { cause: error });
  }
}

let rewritten = "";

beforeAll(async () => {
  await cloneCheckout();
  try {
    await runIn(".", "sh", "-e", "-c", blockOf(page, "git apply --3way"));
  } catch (error) {
    const why = (error as Error).message;
    throw new Error(`${patch} no longer fits the checkout. ${page} says at its end how to mend it.\n${why}`, {
      cause: error,
    });
  }
  rewritten = readFileSync(join(copy.path, patch), "utf8");
  await runIn(".", "git", "apply", patch);
  linkPackages();
});

test("the page names every file of the change, in order, and no other", () => {
  const steps = read(page)
    .split(/^(?=\d+\. )/m)
    .slice(1);
  const named = steps.flatMap((step) => [...step.matchAll(/`([\w.-]*\/?[\w./-]+\/[\w.-]+\.\w+|README\.md)`/g)]);
  expect(named.map(([, file]) => file)).toEqual(patched);
});

test("the commands of the page are the scripts of the root", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const [apply, ...commands] = blockOf(page, "git apply docs").split("\n");
  expect(apply).toBe(`git apply ${patch}`);
  expect(commands.map((command) => command.replace("pnpm ", "")).filter((name) => !(name in scripts))).toEqual([]);
});

test("the commands that write the patch anew write the same", () => {
  expect(withoutPlaces(rewritten)).toBe(withoutPlaces(read(patch)));
});

/** The names of versions of files, and where in a file a change belongs, differ after any other change. */
function withoutPlaces(text: string): string {
  return text.replaceAll(/^(?:index|@@) .*\n/gm, "");
}

test.each(["packages/contract", "packages/client", "apps/server", "apps/cli", "bench"])(
  "the change is free of type errors in %s",
  async (workspace) => {
    expect(await runIn(workspace, "node_modules/.bin/tsc")).toBe("");
  },
);

test("the change is formatted, and lint has nothing to say", async () => {
  await expect(runIn(".", "node_modules/.bin/oxfmt", "--check", ...patched)).resolves.toContain("correct format");
  await expect(runIn(".", "node_modules/.bin/oxlint", "--deny-warnings", ...patched)).resolves.toContain("0 errors");
});

test("what the change tests passes", async () => {
  await runIn("packages/contract", process.execPath, "scripts/write-openapi.ts");
  await runIn("apps/cli", "node_modules/.bin/tsdown");
  await expectPassed("packages/contract", "contract.test", "openapi.test");
  await expectPassed("packages/openapi-compatibility", "removals");
  await expectPassed("apps/server", "get-inventory", "store.test", "-t", "inventory|how many|scope");
  await expectPassed("packages/client", "service.test", "test/contract.test", "-t", "how many|contract");
  await expectPassed("apps/cli", "pets-count");
}, 240_000); // six suites

/** Runs tests of the copy: there are some, and none fails. */
async function expectPassed(workspace: string, ...files: readonly string[]): Promise<void> {
  const output = await runIn(
    workspace,
    "node_modules/.bin/vitest",
    "run",
    "--no-color",
    "--testTimeout=30000",
    ...files,
  );
  expect(output).toMatch(/^ +Tests +\d+ passed/m);
}
