import { expect, test } from "vitest";
import { patchedCopy } from "./checkout-copy.ts";

// As a pattern of files, none of these signs means itself.
const { runIn } = patchedCopy("petstore [x] {a,b} !(1)");

test.each([
  ["apps/server", "dist/petstore-server.mjs"],
  ["apps/cli", "dist/petstore.cjs"],
])(
  "0: a build of %s, in a directory whose name is a pattern, makes a program that runs",
  async (workspace, file) => {
    await runIn(workspace, "node_modules/.bin/tsdown");
    expect(await runIn(workspace, process.execPath, file, "--version")).toMatch(
      /^\S*\d+\.\d+\.\d+/,
    );
  },
);

test("0: a build of the board, in a directory whose name is a pattern, has the same help", async () => {
  await runIn("apps/web", "node_modules/.bin/vite", "build");
  expect(await runIn("apps/web", "git", "status", "--short", "--", "built/help*")).toBe("");
});
