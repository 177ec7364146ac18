import { execFile } from "node:child_process";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";

const run = promisify(execFile);

test.each([
  ["pack", "packages/client"],
  ["publish", "packages/client"],
  ["pack", "apps/cli"],
  ["publish", "apps/cli"],
])("1: npm %s is rejected in %s, with advice", async (command, directory) => {
  const packing = run("npm", [command, "--dry-run", "--no-provenance"], { cwd: join(root, directory) });
  await expect(packing).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Only pnpm can pack this package") as string,
  });
});

test("1: a package that is not built is rejected", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "petstore-prepack-"));
  const script = join(root, "packages/release/scripts/prepack.mjs");
  const packing = run(process.execPath, [script], { cwd: directory.path, env: { npm_execpath: "/bin/pnpm" } });
  await expect(packing).rejects.toMatchObject({
    code: 1,
    stderr: "There is no dist to pack. Run pnpm build first.\n",
  });
});
