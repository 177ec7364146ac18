import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { pages } from "./markdown-pages.ts";

test("every relative link of a page leads to a file, and to a heading in it", () => {
  const links = pages.flatMap((page) =>
    [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => ({ page, link })),
  );
  const relative = links.filter(({ link }) => !/^[a-z]+:/.test(link));
  expect(relative).toContainEqual({ page: "README.md", link: "docs/server.md" });
  expect(relative.filter(({ page, link }) => !leadsSomewhere(page, link))).toEqual([]);
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

/**
 * The anchors that GitHub gives to the headings of a page. Of equal headings, only the first is
 * known here.
 */
function anchors(page: string): string[] {
  const headings = [...prose(page).matchAll(/^#+ +(.+?) *$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}
