import { expect, test } from "vitest";
import { blocksOfText, pages } from "./markdown-pages.ts";

const block = "```sh\nls\n```\n";

function reasons(text: string): (string | undefined)[] {
  return blocksOfText("page.md", text).map(({ notRun }) => notRun);
}

test.each([
  ["the line before it", `<!-- not run: needs Docker -->\n${block}`],
  ["the line before an empty one", `Text.\n\n<!-- not run: needs Docker -->\n\n${block}`],
  [
    "a list",
    `1. Text.\n   <!-- not run: needs Docker -->\n   ${block.replaceAll(/\n(?=.)/g, "\n   ")}`,
  ],
])("a block has the reason of a mark on %s", (_place, text) => {
  expect(reasons(text)).toEqual(["needs Docker"]);
});

test("a mark is for one block", () => {
  expect(reasons(`<!-- not run: needs Docker -->\n\n${block}\n${block}`)).toEqual([
    "needs Docker",
    undefined,
  ]);
});

test.each([
  "<!-- not run -->",
  "<!-- not run: -->",
  "<!-- not run:  -->",
  "<!-- Not-run: why -->",
  "<!--not run: why-->",
])("the mark %s fails", (mark) => {
  expect(() => reasons(`${mark}\n\n${block}`)).toThrow(
    `page.md: ${mark} must be like <!-- not run: needs Docker -->`,
  );
});

test.each([
  ["a paragraph", `\n\nText.\n\n${block}`],
  ["a heading", `\n\n# Title\n\n${block}`],
  ["another mark", `\n\n<!-- not run: needs Docker -->\n\n${block}`],
  ["nothing", ""],
])("a mark before %s fails", (_what, rest) => {
  expect(() => reasons(`<!-- not run: why -->${rest}`)).toThrow(
    "no block of code follows the mark <!-- not run: why -->",
  );
});

test.each([
  ".changeset/README.md",
  ".github/PULL_REQUEST_TEMPLATE.md",
  "README.md",
  "packages/client/docs/recipes.md",
])("%s is one of the pages", (page) => {
  expect(pages).toContain(page);
});
