import { expect, test } from "vitest";
import { patchedCopy } from "./checkout-copy.ts";

// As a pattern of files, none of these signs means itself.
const { runIn } = patchedCopy("petstore [x] {a,b} !(1)");

test.each(["apps/server", "apps/cli"])(
  "0: a build of %s, in a directory whose name is a pattern",
  async (workspace) => {
    await runIn(workspace, "node_modules/.bin/tsdown");
  },
);

test("0: a build of the board, in a directory whose name is a pattern, has the same help", async () => {
  await runIn("apps/web", "node_modules/.bin/vite", "build");
  expect(await runIn("apps/web", "git", "status", "--short", "--", "built/help*")).toBe("");
});
