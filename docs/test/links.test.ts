import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { pages } from "./pages.ts";

test.each(pages)("every relative link of %s leads to a file, and to a heading in it", (page) => {
  const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const relative = links.filter((link) => !/^[a-z]+:/.test(link));
  expect(relative.filter((link) => !leadsSomewhere(page, link))).toEqual([]);
});

test("a link to a missing file or heading is found", () => {
  expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/server.md", "packages/client/README.md"]));
  expect(leadsSomewhere("README.md", "docs/server.md")).toBe(true);
  expect(leadsSomewhere("docs/server.md", "operations.md#start-stop-upgrade")).toBe(true);
  expect(leadsSomewhere("docs/server.md", "operations.md#no-such-heading")).toBe(false);
  expect(leadsSomewhere("docs/server.md", "#no-such-heading")).toBe(false);
  expect(leadsSomewhere("docs/server.md", "docs/server.md")).toBe(false);
});

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const file = path === "" ? page : join(dirname(page), path);
  return existsSync(join(root, file)) && (anchor === undefined || anchors(file).includes(anchor));
}

/** A page without its blocks of code. */
function prose(page: string): string {
  return read(page).replaceAll(/^( *)```[^]*?^\1```$/gm, "");
}

/** The anchors that GitHub gives to the headings of a page. Of equal headings, only the first is known here. */
function anchors(page: string): string[] {
  const headings = [...prose(page).matchAll(/^#+ +(.+?) *$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}
