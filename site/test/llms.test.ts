import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dist, pages, read } from "./site.ts";

/** The address of a page, as Markdown: `client.md` for `client/index.html`. */
function markdownOf(page: string): string {
  return page.replace(/(?:(?<=.)\/index)?\.html$/, ".md");
}

const pageOf = new Map(pages.map((page) => [markdownOf(page), page]));

/** What llms.txt says of each page. */
const summaries = new Map(
  [...read("llms.txt").matchAll(/\]\(\/(\S+)\): (.*)$/gm)].map(([, file, summary]) => [
    file,
    summary,
  ]),
);

test.each([...pageOf.keys()])("%s is a page as Markdown", (file) => {
  expect(existsSync(join(dist, file))).toBe(true);
  expect(read("llms-full.txt")).toContain(`url: /${file}\n`);
});

test.each([...pageOf.keys()])("llms.txt has %s with a summary", (file) => {
  expect(summaries.get(file)).toMatch(/\w/);
});

test.each(["llms.txt", ...pageOf.keys()])(
  "every link of %s leads to a page, and to a part of it",
  (file) => {
    const prose = read(file).replaceAll(/^( *)```[^]*?^\1```$/gm, "");
    const links = [...prose.matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]*))?\)/g)];
    const broken = links.filter(([, path = "", part]) => {
      const target = path === "" ? file : path.replace(/^\//, "");
      if (target.endsWith(".json")) return !existsSync(join(dist, target));
      const html = pageOf.get(target);
      return html === undefined || (part !== undefined && !hasPart(read(html), decodeURI(part)));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  },
);

test("a page says where it is as Markdown", () => {
  expect(read("client/index.html")).toContain(
    '<link href="/client.md" rel="alternate" type="text/markdown">',
  );
});

/** In Markdown, a heading that begins with a digit has a plain anchor. */
function hasPart(html: string, part: string): boolean {
  return html.includes(` id="${part}"`) || (/^\d/.test(part) && html.includes(` id="_${part}"`));
}
