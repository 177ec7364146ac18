import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { parse } from "yaml";

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}

interface Job {
  permissions?: Record<string, string>;
  environment?: string;
  "runs-on"?: string;
  strategy?: { matrix: Record<string, string[]> };
  uses?: string;
  steps?: Step[];
}

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const workflowFiles = readdirSync(join(root, ".github/workflows"));
const allText = workflowFiles.map((file) => read(`.github/workflows/${file}`)).join("");
const jobs = workflowFiles.flatMap((file) => {
  const workflow = parse(read(`.github/workflows/${file}`)) as Workflow;
  return Object.entries(workflow.jobs).map(([name, job]) => ({
    name: `${file} ${name}`,
    job,
    permissions: job.permissions ?? workflow.permissions,
  }));
});
const steps = jobs.flatMap(({ job }) => job.steps ?? []);

function jobOf(name: string): Job {
  const found = jobs.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no job ${name}`);
  return found.job;
}

test("every action is pinned to a commit, with its version in a comment", () => {
  const uses = allText.match(/^.*\buses: .*$/gm) ?? [];
  expect(uses.length).toBeGreaterThan(10);
  const others = uses.filter((line) => !/uses: (?:\.\/|[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/.test(line));
  expect(others).toEqual([]);
});

test("only these jobs have permissions beyond reading the code", () => {
  const more = jobs.flatMap(({ name, permissions }) => {
    const { contents, ...others } = permissions;
    const rights = contents === undefined || contents === "read" ? others : { contents, ...others };
    return Object.keys(rights).length === 0 ? [] : [[name, rights]];
  });
  expect(Object.fromEntries(more)).toEqual({
    "release.yml version": { contents: "write", "pull-requests": "write" },
    "release.yml publish": { "id-token": "write", attestations: "write" },
    "release.yml announce": { contents: "write" },
    "security.yml codeql": { "security-events": "write" },
    "site.yml build": { pages: "read" },
    "site.yml deploy": { "id-token": "write", pages: "write" },
  });
});

test("the job that may publish is protected, does not check out the repository, and runs only npm, without scripts", () => {
  const { environment, steps: publishing = [] } = jobOf("release.yml publish");
  expect(environment).toBe("npm");
  const actions = publishing.flatMap(({ uses }) => uses?.split("@")[0] ?? []);
  expect(actions).toEqual(["actions/setup-node", "actions/download-artifact", "actions/attest"]);
  const commands = publishing.flatMap(({ run }) => run ?? []);
  expect(commands.join().match(/\bnp\w+ \w+/g)).toEqual(["npm view", "npm publish"]);
  expect(allText).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN|secrets\./);
});

test("a release installs with the exact pnpm of package.json, and runs no script of a dependency", () => {
  const { packageManager } = JSON.parse(read("package.json")) as { packageManager: string };
  const named = allText.match(/\bpnpm@[\w.]+/g) ?? [];
  expect(new Set(named)).toEqual(new Set([packageManager]));
  const installs = steps.flatMap(({ run = "" }) => (/pnpm\S* install\b/.test(run) ? [run] : []));
  expect(installs.length).toBeGreaterThan(0);
  expect(installs.filter((run) => !/ --frozen-lockfile --ignore-scripts\b/.test(run))).toEqual([]);
});

/** The settings of an action in all steps. */
function settingsOf(action: string): unknown[] {
  return steps.filter(({ uses = "" }) => uses.startsWith(`${action}@`)).map((step) => step.with);
}

test("every job uses the repository's version of Node and leaves no token in a checkout", () => {
  const version = read(".node-version").trim();
  const checkouts = settingsOf("actions/checkout");
  expect(checkouts).toEqual(checkouts.map(() => ({ "persist-credentials": false })));
  const versions = settingsOf("actions/setup-node").map((settings) => JSON.stringify(settings));
  expect(new Set(versions)).toEqual(
    new Set(['{"node-version-file":".node-version"}', `{"node-version":"${version}"}`]),
  );
});

test("the packages are tested on Windows and macOS, by commands of any shell and tests without terminals, bash and signals", () => {
  const { strategy, "runs-on": system, steps: all = [] } = jobOf("ci.yml platforms");
  expect([system, strategy?.matrix]).toEqual(["${{ matrix.os }}", { os: ["windows-latest", "macos-latest"] }]);
  const commands = all.flatMap(({ run }) => run ?? []);
  expect(commands.filter((command) => !/^npx pnpm@[\w.]+ [\w@/. =-]+$/.test(command))).toEqual([]);
  const files = commands.flatMap((command) => {
    const [, workspace = ""] = /--filter @petstore\/(\S+) exec vitest run/.exec(command) ?? [];
    const directory = { cli: "apps/cli", "client-package": "tests/client-package" }[workspace];
    return (command.match(/test\/\S+/g) ?? []).map((file) => `${directory}/${file}`);
  });
  expect(files).toEqual(
    expect.arrayContaining(["apps/cli/test/platforms.test.ts", "tests/client-package/test/platforms.test.ts"]),
  );
  for (const file of files)
    expect(read(file)).not.toMatch(/InTerminal|terminal-session|startScript|"bash"|\bSIG[A-Z]+/);
});

/** Runs the last step of a job in a directory with two packed packages. Returns the arguments of each call of `program`. */
function runAmongPackages(job: string, program: string, stub: string): string[] {
  const place = mkdtempSync(join(tmpdir(), "petstore-release-"));
  try {
    for (const name of ["cli", "client"]) {
      mkdirSync(join(place, "package"), { recursive: true });
      writeFileSync(
        join(place, "package/package.json"),
        JSON.stringify({ name: `@petstore/${name}`, version: "1.0.0-rc.1" }),
      );
      writeFileSync(join(place, "package/CHANGELOG.md"), `changes of ${name}`);
      execFileSync("tar", ["czf", `petstore-${name}-1.0.0-rc.1.tgz`, "package"], { cwd: place });
    }
    writeFileSync(join(place, "petstore-cli.cdx.json"), "{}");
    // Replaces the real program.
    writeFileSync(join(place, program), `#!/bin/sh\n${stub}\n`, { mode: 0o755 });
    const script = jobOf(`release.yml ${job}`).steps?.at(-1)?.run ?? "";
    const environment = { PATH: `${place}:${process.env["PATH"]}`, GITHUB_SHA: "1234567" };
    execFileSync("bash", ["-e", "-c", script], { cwd: place, env: environment });
    return readFileSync(join(place, "calls"), "utf8").trim().split("\n");
  } finally {
    rmSync(place, { recursive: true });
  }
}

test("a release on GitHub has the tag, the package, its changes, and the bill of materials if there is one", () => {
  const isNew = 'test "$2" != view && echo "$@" $(cat notes.md) >>calls';
  expect(runAmongPackages("announce", "gh", isNew)).toEqual([
    `${created("cli", "petstore-cli-1.0.0-rc.1.tgz petstore-cli.cdx.json")} changes of cli`,
    `${created("client", "petstore-client-1.0.0-rc.1.tgz")} changes of client`,
  ]);
});

/** A program that finds the releases that match `known`. */
const finding = (known: string) => `case "$*" in ${known}) ;; *view*) exit 1 ;; *) echo "$@" >>calls ;; esac`;

test("a release that failed halfway can be run again: it skips packages that are already published or announced", () => {
  expect(runAmongPackages("announce", "gh", finding("*view*cli@*"))).toEqual([
    created("client", "petstore-client-1.0.0-rc.1.tgz"),
  ]);
  expect(runAmongPackages("publish", "npm", finding("view*cli@*"))).toEqual([
    "publish ./petstore-client-1.0.0-rc.1.tgz --ignore-scripts",
  ]);
});

function created(name: string, files: string): string {
  const tag = `@petstore/${name}@1.0.0-rc.1`;
  return `release create ${tag} ${files} --target 1234567 --title ${tag} --notes-file notes.md`;
}

test("Dependabot updates packages, actions and every image", () => {
  const { updates } = parse(read(".github/dependabot.yml")) as {
    updates: { "package-ecosystem": string; directory: string }[];
  };
  expect(updates.map((update) => `${update["package-ecosystem"]} ${update.directory}`)).toEqual([
    "npm /",
    "github-actions /",
    "docker /deploy",
    "docker-compose /deploy",
  ]);
});
