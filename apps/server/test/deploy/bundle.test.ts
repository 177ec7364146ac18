import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { nodes } from "@petstore/test-kit/nodes";
import {
  petstoreServer as bundle,
  serving,
  settings,
  start,
  temporaryDirectory,
  type Ended,
  type Running,
} from "@petstore/test-servers/processes";
import { referenceProgram } from "@petstore/test-servers/reference-files";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { packagesInside } from "../../scripts/scalar-packages.ts";
import { boardFiles, boardPage, helpPages, withoutSettings } from "../support/board-files.ts";
import { createDatabase } from "../support/postgres-database.ts";

/**
 * Starts the bundle with Node alone. On PostgreSQL it may read itself and nothing else; SQLite
 * syncs, which Node forbids then.
 */
function startBundle(
  workingDirectory: string,
  args: readonly string[],
  environment: Record<string, string>,
): Running {
  const needsFiles = environment["PETSTORE_DATABASE_URL"]?.startsWith("sqlite:") ?? false;
  const restrictions = needsFiles ? [] : ["--permission", `--allow-fs-read=${bundle}`];
  return start(process.execPath, [...restrictions, bundle, ...args], {
    directory: workingDirectory,
    environment,
  });
}

async function runBundle(
  workingDirectory: string,
  args: readonly string[],
  environment: Record<string, string>,
): Promise<Ended> {
  await using command = startBundle(workingDirectory, args, environment);
  return await command.ended;
}

test("0: a build is one program, and the licence notices of its parts", () => {
  expect(readdirSync(dirname(bundle)).toSorted()).toEqual([
    "THIRD-PARTY-NOTICES",
    "petstore-server.mjs",
  ]);
  const notices = readFileSync(join(dirname(bundle), "THIRD-PARTY-NOTICES"), "utf8");
  const some = "express path-to-regexp pg pino prom-client @scalar/api-reference zod";
  for (const name of some.split(" ")) {
    expect(`\n${notices}`).toMatch(new RegExp(`^${name} \\d.* \\([\\w.-]+\\)\\n\\n *\\S`, "m"));
  }
  expect(notices).toContain("Copyright (c) 2009-2014 TJ Holowaychuk");
  expect(notices).toContain(read("apps/web/built/THIRD-PARTY-NOTICES"));
  // When the version of the reference page's program changes, `node scripts/scalar-notices.ts`
  // writes them.
  const inside = [
    `@scalar/api-reference@${packageJson.dependencies["@scalar/api-reference"]}`,
    ...packagesInside(),
  ];
  expect(inside.filter((id) => !notices.includes(`\n${id.replace(/@(?=[^@]*$)/, " ")} (`))).toEqual(
    [],
  );
});

test("the program is ASCII: otherwise V8 keeps its source with two bytes for each character", () => {
  const lines = readFileSync(bundle, "utf8").split("\n");
  expect(lines.filter((line) => /[^\p{ASCII}]/u.test(line)).slice(0, 3)).toEqual([]);
});

/** Node 22 in CI, and the Node of the system if that is old. */
const olderNodes = [
  ...nodes.map(({ node }) => node),
  ...(process.env["PATH"] ?? "").split(delimiter).map((path) => join(path, "node")),
].filter((file) => existsSync(file) && Number.parseInt(versionOf(file), 10) < 24);

function versionOf(node: string): string {
  return execFileSync(node, ["--version"], { encoding: "utf8" }).slice(1);
}

test.for(olderNodes)("78 and one line on %s, which is too old", async (node) => {
  using empty = temporaryDirectory();
  await using command = start(node, [bundle, "serve"], {
    directory: empty.path,
    environment: settings,
  });
  expect(await command.ended).toMatchObject({
    exitCode: 78,
    stdout: "",
    stderr: `petstore-server needs Node 24.15 or newer; this is v${versionOf(node).trim()}\n`,
  });
});

test.for(["SQLite", "PostgreSQL"])("201 and 200 on %s, and 0 after SIGTERM", async (kind) => {
  using empty = temporaryDirectory();
  await using database = await createDatabase();
  const onPostgres = {
    PETSTORE_DATABASE_URL: database.url,
    PETSTORE_RATE_LIMIT: "600/60s",
    PETSTORE_ADMIN_PORT: "0",
  };
  const environment = { ...settings, ...(kind === "PostgreSQL" && onPostgres) };
  const issued = await runBundle(empty.path, ["keys", "create", "--name", "test"], environment);
  expect(issued).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^pst_live_\w+\n$/) as string,
  });
  const apiKey = issued.stdout.trim();

  await using server = await serving(startBundle(empty.path, ["serve"], environment));
  const created = await server.call(apiKey, "/pets", '{"name":"Rex","categoryId":7}');
  expect(created).toMatchObject({ status: 201 });
  expect(await server.call(apiKey, "/pets")).toMatchObject({
    status: 200,
    text: `[${created.text}]`,
  });
  expect((await fetch(`${server.url}/openapi.json`)).status).toBe(200);
  expect(await server.stop()).toMatchObject({ exitCode: 0, stderr: "" });
});

test("200 with --dev, whose log is for people, also for the board, its help, the reference page and their files, which are in the bundle", async () => {
  using empty = temporaryDirectory();
  const environment = { PETSTORE_PORT: "0", PETSTORE_DATABASE_URL: "memory:" };
  const restrictions = [
    "--permission",
    `--allow-fs-read=${empty.path}`,
    `--allow-fs-write=${empty.path}`,
  ];
  const args = [...restrictions, `--allow-fs-read=${bundle}`, bundle, "serve", "--dev"];
  await using server = await serving(
    start(process.execPath, args, { directory: empty.path, environment }),
  );
  const apiKey = readFileSync(join(empty.path, ".data", "development.key"), "utf8").trim();
  expect(await server.call(apiKey, "/pets?limit=1")).toMatchObject({ status: 200 });

  const page = await fetch(new URL("/", server.url), { headers: { Accept: "text/html" } });
  expect(withoutSettings(Buffer.from(await page.arrayBuffer()))).toBe(boardPage.toString());
  for (const [target, content] of [...helpPages, ...boardFiles]) {
    const response = await fetch(new URL(target, server.url));
    expect([target, Buffer.from(await response.arrayBuffer()).equals(content)]).toEqual([
      target,
      true,
    ]);
  }

  const style = import.meta.resolve("@scalar/api-reference/style.css");
  const program = await fetch(new URL(await referenceProgram(server.url), server.url));
  expect(await program.text()).toBe(readFileSync(new URL("browser/standalone.js", style), "utf8"));
  expect(await server.stop()).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/INFO.* request/) as string,
    stderr: "",
  });
});
