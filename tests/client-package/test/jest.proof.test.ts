import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { resolveTool } from "@petstore/test-kit/tools";
import { expect, inject, test } from "vitest";

test("Jest with its default settings runs tests of a CommonJS program that uses the client and the fake", async () => {
  const jest = resolveTool("jest/bin/jest");
  const options = { cwd: join(inject("project"), "commonjs"), env: {} };
  const { stdout } = await promisify(execFile)(process.execPath, [jest, "--json", "--cache=false"], options);
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 1, numTotalTests: 1 });
});
