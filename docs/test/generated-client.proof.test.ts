import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startServer } from "@petstore/server/start-server";
import { root } from "@petstore/test-kit/checkout";
import { toolsDirectory } from "@petstore/test-kit/tools";
import { afterAll, beforeAll, expect, test } from "vitest";

const run = promisify(execFile);
const modules = join(toolsDirectory, "node_modules");
let project: string;

// A project outside of the repository, so that no setting of the repository reaches it.
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "petstore-generated-"));
  await cp(join(import.meta.dirname, "generated-client/program.ts"), join(project, "program.ts"));
  await cp(join(root, "packages/contract/openapi.json"), join(project, "openapi.json"));
  await symlink(modules, join(project, "node_modules"));
  const output = { path: "generated", module: { extension: ".ts" } };
  const plugins = ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk", "zod"];
  await write("openapi-ts.config.json", { input: "openapi.json", output, plugins });
  await write("package.json", { type: "module" });
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022", "dom", "dom.iterable"],
    types: ["node"],
    module: "nodenext",
  };
  const flags = {
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    skipLibCheck: true,
  };
  await write("tsconfig.json", { compilerOptions: { ...compilerOptions, ...flags } });
  await write("redocly.yaml", {
    extends: ["recommended"],
    rules: { "operation-tag-defined": "error", "info-contact": "error" },
  });
  await run(join(modules, ".bin/openapi-ts"), ["--file=openapi-ts.config.json"], { cwd: project });
});

const write = (name: string, content: object) =>
  writeFile(join(project, name), JSON.stringify(content));

afterAll(() => rm(project, { recursive: true }));

test("0: TypeScript accepts the generated client, and rejects wrong values given to it", async () => {
  const compiling = run(join(modules, ".bin/tsc"), { cwd: project }).catch(
    (error: { stdout: string }) => error,
  );
  await expect(compiling).resolves.toMatchObject({ stdout: "" });
});

/** What a program prints as JSON. */
async function resultOf(program: string): Promise<unknown> {
  const args = ["--input-type=module", "--eval", program];
  const { stdout, stderr } = await run(process.execPath, args, { cwd: project, env: {} });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

test("a generated client creates once, follows the pages, and reads a 401", async () => {
  await using server = await startServer();
  const { url: baseUrl, apiKey } = server;
  const program = `
    import { useClient } from "./program.ts";
    console.log(JSON.stringify(await useClient(${JSON.stringify({ baseUrl, apiKey })})));`;

  const rex = { id: 1, name: "Rex", categoryId: 7, status: "available" };
  expect(await resultOf(program)).toEqual({
    created: ["1 new", "1 replayed", "2 new", "3 new"],
    pages: [[rex, { ...rex, id: 2, name: "Tom" }], [{ ...rex, id: 3, name: "Kim" }]],
    rejection: { code: "invalid_api_key", message: expect.any(String), status: 401 },
    isInvalidKey: true,
  });
});

test("0: a generated schema for Zod takes the error code of a newer service, and rejects a status that it does not know", async () => {
  const error = { code: "too_many_animals", message: "There is no room.", status: 409 };
  const zodProgram = `
    import { zError, zPet } from "./generated/zod.gen.ts";
    const status = zPet.safeParse({ id: 1, name: "Rex", categoryId: 7, status: "lost" }).success;
    console.log(JSON.stringify([zError.parse(${JSON.stringify(error)}), status]));`;
  expect(await resultOf(zodProgram)).toEqual([error, false]);
});

test("0: Redocly has no errors and no warnings", async () => {
  const args = ["lint", "openapi.json", "--config=redocly.yaml", "--format=json"];
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const linting = run(join(modules, ".bin/redocly"), args, { cwd: project, env });
  const { stdout } = await linting.catch((error: { stdout: string }) => error);
  const { totals, problems } = JSON.parse(stdout) as { totals: unknown; problems: unknown };
  expect(problems).toEqual([]);
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
});
