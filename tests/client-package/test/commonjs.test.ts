import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { nodes } from "@petstore/test-kit/nodes";
import { expect, inject, test } from "vitest";

const run = promisify(execFile);
const project = inject("project");

test.each(nodes)(
  "on Node $major errors of an ES module are recognised by CommonJS, and the reverse",
  async ({ node }) => {
    const { stdout, stderr } = await run(node, ["both-systems.js"], { cwd: project, env: {} });

    const same = { byClass: [true, true], byFunction: [true, true] };
    const other = { byClass: [false, false], byFunction: [true, true] };
    expect(JSON.parse(stdout)).toEqual([same, other, other, same]);
    expect(stderr).toBe("");
  },
);
