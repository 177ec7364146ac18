import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { resolveTool } from "@petstore/test-kit/tools";
import { expect, inject, test } from "vitest";

/** The last one is jsdom with the `fetch` of Node. */
test.each(["jest-environment-node", "jest-environment-jsdom", "jest-fixed-jsdom"])(
  "Jest with %s runs tests of a CommonJS program that uses the client and the fake",
  async (environment) => {
    const jest = resolveTool("jest/bin/jest");
    const args = [jest, "--json", "--cache=false", `--testEnvironment=${resolveTool(environment)}`];
    const options = { cwd: join(inject("project"), "commonjs"), env: {} };
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      numPassedTests: 2,
      numTotalTests: 2,
    });
  },
);
