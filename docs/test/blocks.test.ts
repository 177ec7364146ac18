import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";
import { expectNoProblems } from "@petstore/test-kit/problems";
import { expect, test } from "vitest";
import { claims, claimsOn, isTyped } from "./claims.ts";
import { blocksOf, pages, type Block } from "./pages.ts";

const blocks = pages.flatMap(blocksOf);

function nameOf({ page, code }: Block): string {
  return `${page}: the block \`${code.split("\n")[0]}\``;
}

test("the pages are found, and the blocks in them", () => {
  expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/api.md", "packages/client/README.md"]));
  expect(blocks.length).toBeGreaterThan(50);
});

test("every block of code is checked by one test", () => {
  const problems = blocks.map((block) => {
    const count = claimsOn(block).length + Number(isTyped(block));
    return { count, problem: `${nameOf(block)} is checked by ${count} tests: name one test in docs/test/claims.ts` };
  });
  expectNoProblems(problems.filter(({ count }) => count !== 1).map(({ problem }) => problem));
});

test("every block names its language", () => {
  const unnamed = blocks.filter(({ language }) => language === "");
  expectNoProblems(unnamed.map((block) => `${nameOf(block)} has no language: write one after the fence`));
});

test.each(claims)("$page is checked by $test", (claim) => {
  const [file = "", name = ""] = claim.test.split(" > ", 2);
  const { page, begins = "", shows = begins } = claim;
  const claimed = blocks.filter((block) => claimsOn(block).includes(claim));
  const changed = claimed.filter(({ code }) => !page.endsWith(shows) && !code.includes(shows));
  const text = read(file);
  const count = text.split(`("${name}`).length - 1;

  expect(shows).not.toBe("");
  expectNoProblems([
    ...changed.map((block) => `${nameOf(block)} is out of date: it no longer has \`${shows}\`, which ${file} tests`),
    ...(claimed.length > 0 ? [] : [`${page}: no block begins with \`${begins}\`: update docs/test/claims.ts`]),
    ...(text.includes(shows) ? [] : [`${file} no longer has \`${shows}\`: update the block of ${page} that it tests`]),
    ...(count === 1 ? [] : [`${file} has ${count} tests whose names begin with "${name}": update docs/test/claims.ts`]),
  ]);
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
  const files = code.flatMap((text) => text.match(/(?<![\w/.-])deploy\/(?!petstore-server )[\w./@-]+/g) ?? []);
  expect(files).toContain("deploy/petstore.service");
  // The page makes this one, and git ignores it.
  expect(files.filter((file) => file !== "deploy/.env" && !existsSync(join(root, file)))).toEqual([]);
});
