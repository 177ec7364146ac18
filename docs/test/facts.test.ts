import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  bodyLimitOf,
  errors,
  maxBatchSize,
  maxBodyBytes,
  maxHeadersBytes,
  maxBodyDepth,
  maxBodyValues,
  maxTargetBytes,
  operations,
  pageLimit,
  scopes,
} from "@petstore/contract";
import { idempotencyWindowMs } from "@petstore/contract/rules";
import { read, root } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { blockOf, blocksOf } from "./markdown-pages.ts";

const api = read("docs/api.md");

test("docs/api.md has a row for each error code of the contract, with its status and what to do, and no other", () => {
  const table = /^## Errors\n([^]*?)^## /m.exec(api)?.[1] ?? "";
  const rows = [...table.matchAll(/^\| `(\w+)` +\| (\d{3}) +\| (.+?) +\|$/gm)];
  expect(rows.map(([, code, status]) => [code, Number(status)])).toEqual(
    Object.entries(errors).map(([code, { status }]) => [code, status]),
  );
  expect(rows.filter(([, , , advice = ""]) => advice.length < 10)).toEqual([]);
});

test("docs/api.md has the limits of the contract and of the server", () => {
  const limits = new Map(
    [...api.matchAll(/^\| ([^|`]+?) +\| ([^|]+?) +\| [^|]+ \|$/gm)].map(([, name, limit]) => [
      name,
      limit,
    ]),
  );
  const server = read("apps/server/src/http/listen.ts");
  const waits = read("apps/server/src/time-limits.ts");
  expect(Object.fromEntries(limits)).toMatchObject({
    "path and query": `${maxTargetBytes.toLocaleString("en")} bytes`,
    "request headers, with path, query and cookies": `${maxHeadersBytes / 1024} KB`,
    "request body": `${maxBodyBytes.toLocaleString("en")} bytes`,
    "body of several animals": `${bodyLimitOf(operations.createPets).toLocaleString("en")} bytes`,
    "nesting of the body": `${maxBodyDepth} levels`,
    "values of the body": `${maxBodyValues.toLocaleString("en")}, commas in texts included`,
    "time to send headers; a whole request": `${seconds(waits, "headers: ")}; ${seconds(waits, "request: ")}`,
    "idle connection": seconds(server, "keepAliveTimeout = "),
  });
  const { minimum, maximum, default: usual } = pageLimit;
  expect(api).toContain(`(${minimum} to ${maximum}, ${usual} by default)`);
  expect(api).toContain(`adds 1 to ${maxBatchSize} animals`);
  expect(api).toContain(`For ${idempotencyWindowMs / 3_600_000} hours`);
});

test("docs/api.md has a row for each scope, with its operations", () => {
  for (const scope of scopes) {
    const allowed = Object.values(operations).filter(({ metadata }) => metadata.scope === scope);
    const calls = allowed.map(
      ({ method, path }) => `\`${method} ${path.replace(/:(\w+)/, "{$1}")}\``,
    );
    const [, row = ""] = new RegExp(`^\\| \`${scope}\` +\\| (.*) \\|$`, "m").exec(api) ?? [];
    expect(row.match(/`[A-Z]+ [^`]+`/g)?.toSorted()).toEqual(calls.toSorted());
  }
});

function seconds(source: string, text: string): string {
  return `${numberIn(source, text) / 1000} s`;
}

/** The number after some text. */
function numberIn(source: string, text: string): number {
  const [, digits = ""] = new RegExp(`${text}([\\d_]+)`).exec(source) ?? [];
  return Number(digits.replaceAll("_", ""));
}

test("docs/deployment.md names the versions of Node that the server is tested on", () => {
  const tools = JSON.parse(read("tests/tools/package.json")) as Record<
    string,
    Record<string, string>
  >;
  const own = Number.parseInt(read(".node-version"), 10);
  const others = Object.keys({ ...tools["dependencies"], ...tools["devDependencies"] }).flatMap(
    (name) => {
      const [, major] = /^node-(\d+)$/.exec(name) ?? [];
      return Number(major) > own ? [major] : [];
    },
  );
  expect(read("docs/deployment.md")).toContain(
    `it is tested on ${[own, ...others].join(" and ")}.`,
  );
});

test("CI begins with the second command of README.md", () => {
  expect(read(".ci/run")).toContain(`\n${blockOf("README.md", "npx pnpm@12 test")} `);
});

test("every file of the checkout that a command of docs/deployment.md names exists", () => {
  const code = blocksOf("docs/deployment.md").map((block) => block.code);
  // The page makes deploy/.env, and git ignores it.
  const files = code.flatMap((text) => text.match(/(?<![\w/.-])deploy\/(?!\.env)[\w./@-]+/g) ?? []);
  expect(files).toContain("deploy/petstore.service");
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test.each(["packages/client", "apps/cli"])(
  "the first command of %s/README.md installs its package",
  (directory) => {
    const { name } = JSON.parse(read(`${directory}/package.json`)) as { name: string };
    expect(blockOf(`${directory}/README.md`, "npm install ").split(" ").at(-1)).toBe(name);
  },
);

test("the drop-in of docs/deployment.md allows addresses that the unit denies", () => {
  const [section, setting = ""] = blockOf("docs/deployment.md", "[Service]").split("\n");
  const unit = read("deploy/petstore.service");
  expect(unit).toContain(`\n${section}\n`);
  expect(setting).toMatch(/^IPAddressAllow=\d/);
  expect(unit).toContain("\nIPAddressDeny=any\n");
});

test("Prometheus finds the rules of docs/deployment.md, and names the job as they do", () => {
  const settings = parse(blockOf("docs/deployment.md", "rule_files")) as {
    rule_files: string[];
    scrape_configs: object[];
  };
  expect(
    settings.rule_files.filter((file) => !existsSync(join(root, "deploy/prometheus", file))),
  ).toEqual([]);
  const port = numberIn(read("deploy/Dockerfile"), "PETSTORE_ADMIN_PORT=");
  const job = { job_name: "petstore", static_configs: [{ targets: [`127.0.0.1:${port}`] }] };
  expect(settings.scrape_configs).toMatchObject([job]);
  expect(read("deploy/prometheus/alerts.yaml")).toContain('up{job="petstore"}');
});

test("README.md has the figures of the product", () => {
  const readme = read("README.md");
  // tests/client-package measures the size and compares it with the README of the client.
  const [, size = ""] =
    /\| one call with esbuild .*\| ([\d.]+ kB) +\|$/m.exec(read("packages/client/README.md")) ?? [];
  const alerts = read("deploy/prometheus/alerts.yaml").match(/- alert: /g) ?? [];
  expect(readme).toContain(`**A ${size} client with no dependencies**`);
  expect(readme).toContain(` ${alerts.length} alerts`);
  expect(readme).toContain(`For ${idempotencyWindowMs / 3_600_000} hours`);
});
