import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { endurance } from "@petstore/test-kit/endurance";
import { runtimes } from "@petstore/test-kit/runtimes";
import { expect, inject, test } from "vitest";

const run = promisify(execFile);
const project = inject("project");

test("Jest with its default settings runs tests of a CommonJS program that uses the client and the fake", async () => {
  const jest = createRequire(import.meta.url).resolve("jest/bin/jest");
  const options = { cwd: join(project, "commonjs"), env: {} };
  const { stdout } = await run(process.execPath, [jest, "--json", "--cache=false"], options);
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 3, numTotalTests: 3 });
});

test.each(endurance(runtimes.slice(0, 1), runtimes))(
  "on Node $major errors of an ES module are recognised by CommonJS, and the reverse",
  async ({ node }) => {
    const { stdout, stderr } = await run(node, ["both-systems.js"], { cwd: project, env: {} });

    const same = { byClass: [true, true], byFunction: [true, true] };
    const other = { byClass: [false, false], byFunction: [true, true] };
    expect(JSON.parse(stdout)).toEqual([same, other, other, same]);
    expect(stderr).toBe("");
  },
);
