import { readdirSync } from "node:fs";
import { join } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { parse } from "yaml";

interface Job {
  permissions?: Record<string, string>;
  environment?: string;
  steps?: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}

const texts = readdirSync(join(root, ".github/workflows")).map(
  (file) => [file, read(`.github/workflows/${file}`)] as const,
);
const allText = texts.map(([, text]) => text).join("");
const jobs = texts.flatMap(([file, text]) => {
  const workflow = parse(text) as {
    permissions: Record<string, string>;
    jobs: Record<string, Job>;
  };
  return Object.entries(workflow.jobs).map(([name, job]) => ({
    permissions: workflow.permissions,
    ...job,
    name: `${file} ${name}`,
  }));
});
const steps = jobs.flatMap((job) => job.steps ?? []);

test("every action is pinned to a commit, with its version in a comment", () => {
  const uses = allText.match(/^.*\buses: .*$/gm) ?? [];
  expect(uses.length).toBeGreaterThan(10);
  expect(
    uses.filter((line) => !/uses: (?:\.\/|[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/.test(line)),
  ).toEqual([]);
});

test("the job that may publish is protected, does not check out the repository, and runs only npm, without scripts", () => {
  const publish = jobs.find(({ name }) => name === "release.yml publish");
  expect(publish?.environment).toBe("npm");
  const actions = publish?.steps?.flatMap(({ uses }) => uses?.split("@")[0] ?? []);
  expect(actions).toEqual(["actions/setup-node", "actions/download-artifact", "actions/attest"]);
  const commands = publish?.steps?.flatMap(({ run }) => run ?? []).join("");
  expect(commands?.match(/\bnp\w+ \w+/g)).toEqual(["npm view", "npm publish"]);
  expect(commands).toContain(" --ignore-scripts");
});

test("a job that may write to the repository runs only actions of GitHub, git and gh", () => {
  const writing = jobs.filter(({ permissions }) => permissions["contents"] === "write");
  expect(writing.map(({ name }) => name)).toEqual(["release.yml propose", "release.yml announce"]);
  const all = writing.flatMap((job) => job.steps ?? []);
  expect(
    all.flatMap(({ uses }) => uses ?? []).filter((uses) => !uses.startsWith("actions/")),
  ).toEqual([]);
  const commands = all.flatMap(({ run }) => run ?? []).join("\n");
  expect(commands).toMatch(/^git push /m);
  expect(commands).not.toMatch(/\b(?:npm|npx|pnpm|node)\b/);
});

test("no workflow has a token: neither a secret nor that of a checkout", () => {
  expect(allText).not.toMatch(/NPM_TOKEN|NODE_AUTH_TOKEN|secrets\./);
  const checkouts = steps.filter(({ uses = "" }) => uses.startsWith("actions/checkout@"));
  expect(checkouts.length).toBeGreaterThan(5);
  expect(checkouts.filter((step) => step.with?.["persist-credentials"] !== false)).toEqual([]);
});

test("every job uses the repository's Node and pnpm, and installs what the lock file says without scripts", () => {
  const { packageManager } = JSON.parse(read("package.json")) as { packageManager: string };
  expect(new Set(allText.match(/\bpnpm@[\w.]+/g))).toEqual(new Set([packageManager]));
  const installs = steps.flatMap(({ run = "" }) => (/pnpm\S* install\b/.test(run) ? [run] : []));
  expect(installs.length).toBeGreaterThan(0);
  expect(installs.filter((run) => !/ --frozen-lockfile --ignore-scripts\b/.test(run))).toEqual([]);
  const nodes = steps
    .filter(({ uses = "" }) => uses.startsWith("actions/setup-node@"))
    .map((step) => step.with);
  const own = [
    { "node-version-file": ".node-version" },
    { "node-version": read(".node-version").trim() },
  ];
  for (const node of nodes) expect(own).toContainEqual(node);
});
