import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { start } from "@petstore/test-servers/processes";
import { expect, test } from "vitest";
import { environment, patchedCopy } from "./checkout-copy.ts";

const checkout = patchedCopy();

/** Runs the build of a workspace of the copy. */
async function build(workspace: string) {
  const manifest = JSON.parse(
    readFileSync(join(checkout.path, workspace, "package.json"), "utf8"),
  ) as Manifest;
  const variables = {
    ...environment,
    NO_COLOR: "1",
    PATH: `node_modules/.bin:${process.env["PATH"]}`,
  };
  const options = {
    directory: join(checkout.path, workspace),
    environment: variables as Record<string, string>,
  };
  await using building = start("sh", ["-c", `exec ${manifest.scripts.build}`], options);
  return await building.ended;
}

interface Manifest {
  scripts: { build: string };
}

// first-start.proof.test.ts builds the client.
test.each(["apps/cli", "apps/server"])("0: a build of %s prints nothing", async (workspace) => {
  expect(await build(workspace)).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
});

test.each([
  ["that does not parse", "export const = 1;\n", "Unexpected token"],
  ["with a file that is not there", 'export * from "./absent.ts";\n', "./absent.ts"],
])("1: a build of the client %s prints why", async (_, code, reason) => {
  writeFileSync(join(checkout.path, "packages/client/src/int64.ts"), code);
  const { exitCode, stdout, stderr } = await build("packages/client");
  expect(exitCode).toBe(1);
  expect(stdout + stderr).toContain(reason);
  expect(stdout + stderr).toContain("src/int64.ts");
});
