import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { blocksOf, pages } from "./pages.ts";

const blocks = pages.flatMap(blocksOf);

test("every block names its language, and a shell can read those of `sh`", () => {
  expect(blocks.filter(({ language }) => language === "")).toEqual([]);
  for (const { code } of blocks.filter(({ language }) => language === "sh")) {
    expect(execFileSync("sh", ["-n"], { input: code, encoding: "utf8" })).toBe("");
  }
});

test("every file of the checkout that a command of docs/deployment.md names exists", () => {
  const code = blocksOf("docs/deployment.md").map((block) => block.code);
  // The page makes deploy/.env, and git ignores it.
  const files = code.flatMap((text) => text.match(/(?<![\w/.-])deploy\/(?!\.env)[\w./@-]+/g) ?? []);
  expect(files).toContain("deploy/petstore.service");
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
