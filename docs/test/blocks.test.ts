import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { claims, claimsOn, isTyped } from "./claims.ts";
import { blocksOf, pages, type Block } from "./pages.ts";

const blocks = pages.flatMap(blocksOf);

function nameOf({ page, language, code }: Block): string {
  return `${page}: ${language} ${code.split("\n")[0]}`;
}

test("the pages are found, and the blocks in them", () => {
  expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/api.md", "packages/client/README.md"]));
  expect(blocks.length).toBeGreaterThan(50);
});

test("every block of code is checked by one test: add a new one to docs/test/claims.ts, or a test", () => {
  const counts = blocks.map((block) => [nameOf(block), claimsOn(block).length + Number(isTyped(block))]);
  expect(counts.filter(([, count]) => count !== 1)).toEqual([]);
});

test("every block says what language it is in", () => {
  expect(blocks.filter(({ language }) => language === "").map(nameOf)).toEqual([]);
});

test.each(claims)("$page is checked by $test", (claim) => {
  const [file = "", name = ""] = claim.test.split(" > ", 2);
  const { page, begins = "", shows = begins } = claim;
  const claimed = blocks.filter((block) => claimsOn(block).includes(claim));
  const text = read(file);

  expect(claimed).not.toEqual([]);
  expect(shows).not.toBe("");
  expect(claimed.filter(({ code }) => !page.endsWith(shows) && !code.includes(shows)).map(nameOf)).toEqual([]);
  expect(text).toContain(shows);
  expect(text.split(`("${name}`)).toHaveLength(2);
});

test.each(blocks.filter(({ language }) => language === "sh").map((block) => [nameOf(block), block] as const))(
  "a shell can read %s",
  (_name, { code }) => {
    expect(execFileSync("sh", ["-n"], { input: code, encoding: "utf8" })).toBe("");
  },
);

test("every file of the checkout that a command of docs/deployment.md names exists", () => {
  const code = blocksOf("docs/deployment.md").map((block) => block.code);
  // `deploy/petstore-server` is kubectl's way to name a deployment.
  const files = code.flatMap((text) => text.match(/(?<![\w/.-])deploy\/(?!petstore-server )[\w./-]+/g) ?? []);
  expect(files).toContain("deploy/petstore.service");
  // The page makes this one, and git ignores it.
  expect(files.filter((file) => file !== "deploy/.env" && !existsSync(join(root, file)))).toEqual([]);
});
