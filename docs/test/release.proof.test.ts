import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "@petstore/test-kit/checkout";
import { startHttpServer } from "@petstore/test-kit/http-server";
import { install } from "@petstore/test-kit/package";
import { createKey, serve, temporaryDirectory } from "@petstore/test-servers/processes";
import { expect, test } from "vitest";
import { copyCheckout } from "./checkout-copy.ts";

const run = promisify(execFile);

/** The same program as an ES module and as CommonJS. */
const programs = [
  ["program.mjs", 'import { createPetstoreClient } from "@petstore/client";'],
  ["program.cjs", 'const { createPetstoreClient } = require("@petstore/client");'],
] as const;
const call = 'createPetstoreClient().createPet({ name: "Rex", categoryId: 1 }).then(({ id }) => console.log(id));';

test("0: the packages of `pnpm pack-release` install and run in an empty folder, and name no path of this machine", async () => {
  using copy = copyCheckout();
  await copy.commit();
  copy.linkPackages();
  writeFileSync(
    join(copy.path, ".changeset/first.md"),
    '---\n"@petstore/client": major\n"@petstore/cli": major\n---\n\nOne\n',
  );
  // It knows no package.
  await using registry = await startHttpServer((_req, res) => res.writeHead(404).end("{}"));
  const environment = [
    "GITHUB_SERVER_URL=https://github.example",
    "GITHUB_REPOSITORY=owner/petstore",
    `npm_config_registry=${registry.origin}/`,
  ];
  await copy.runIn(".", "pnpm", "run", "version-packages");
  await copy.runIn(".", "env", ...environment, "pnpm", "run", "pack-release");

  using directory = temporaryDirectory();
  const project = join(directory.path, "project");
  const packages = join(copy.path, "dist/packages");
  const files = readdirSync(packages).toSorted();
  expect(files).toEqual([
    expect.stringMatching(/^petstore-cli-[\d.]+\.tgz$/),
    "petstore-cli.cdx.json",
    expect.stringMatching(/^petstore-client-[\d.]+\.tgz$/),
  ]);
  for (const file of files.filter((name) => name.endsWith(".tgz"))) await install(join(packages, file), project);
  const installed = readdirSync(join(project, "node_modules/@petstore"), { recursive: true, withFileTypes: true });
  const shipped = installed.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  shipped.push(join(packages, "petstore-cli.cdx.json"));
  const texts = shipped.map((name) => [name, readFileSync(name, "latin1")] as const);
  for (const place of [root, copy.path, registry.origin]) {
    expect(texts.filter(([, text]) => text.includes(place)).map(([name]) => name)).toEqual([]);
  }

  const PETSTORE_API_KEY = await createKey(directory.path);
  await using server = await serve(directory.path);
  const env = { PATH: process.env["PATH"], HOME: directory.path, PETSTORE_API_KEY, PETSTORE_BASE_URL: server.url };
  const options = { cwd: project, env };
  for (const [index, [file, load]] of programs.entries()) {
    writeFileSync(join(project, file), `${load}\n${call}\n`);
    expect((await run(process.execPath, [file], options)).stdout).toBe(`${index + 1}\n`);
  }
  const petstore = async (...args: string[]) => (await run("npx", ["--offline", "petstore", ...args], options)).stdout;
  expect(files).toContain(`petstore-cli-${(await petstore("--version")).trim()}.tgz`);
  expect(await petstore("pets", "list", "--json", "id", "-o", "ndjson")).toBe('{"id":1}\n{"id":2}\n');
});
