import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placeIn } from "../src/place.ts";
import { pages } from "../src/sections.ts";

const site = join(import.meta.dirname, "..");
const dist = join(site, "dist");
execFileSync(process.execPath, ["scripts/build.ts"], { cwd: site });

const { base } = placeIn(process.env);

function htmlOf(slug: string): string {
  return readFileSync(join(dist, slug, "index.html"), "utf8");
}

test.each(pages)("$file is a page, under its own title", ({ slug, file }) => {
  const [title = ""] = /(?<=^# ).+/m.exec(readFileSync(join(import.meta.dirname, "../..", file), "utf8")) ?? [];
  const headings = [...htmlOf(slug).matchAll(/<h1[^>]*>([^<]*)<\/h1>/g)].map(([, heading = ""]) => heading.trim());
  expect(headings).toEqual([title]);
});

test("no page, style or drawing loads anything from another server", () => {
  const files = globSync("**/*.{html,css,svg}", { cwd: dist });
  expect(files.length).toBeGreaterThan(pages.length);
  const loaded = files.flatMap((file) => {
    const text = readFileSync(join(dist, file), "utf8").replaceAll(/<pre[^]*?<\/pre>/g, "");
    return text.match(/<(?!a\b|svg\b)[^<>]*(?:src|href)="https?:[^<>]*>|@import[^;]*;|url\(["']?https?:/g) ?? [];
  });
  expect(loaded.filter((element) => !/rel="(?:canonical|sitemap)"/.test(element))).toEqual([]);
});

test("the diagram is drawn, and described for readers who cannot see it", () => {
  const html = htmlOf("architecture");
  expect(html).toMatch(/<figure class="diagram" role="img" aria-label="How a request travels[^"]*">\s*<svg/);
  expect(html).toContain("packages/contract</text>");
  expect(html).toMatch(/<style>\s*text \{ font-family:[^}]*\} svg \{/); // its style is whole, without the font of another server
  expect(html).not.toMatch(/flowchart (?:TB|LR)/);
});

test("the home page shows the picture in the colours of the reader", () => {
  const pictures = [...htmlOf("").matchAll(/<img class="(\w+):sl-hidden" src="([^"]+)"/g)].map(([, ...found]) => found);
  expect(pictures.map(([hidden]) => hidden)).toEqual(["dark", "light"]);
  for (const [, address = ""] of pictures) {
    expect(existsSync(join(dist, address.slice(base.length)))).toBe(true);
  }
});

test("an unknown address leads on to the home page", () => {
  expect(readFileSync(join(dist, "404.html"), "utf8")).toContain(`<a href="${base}/">home page</a>`);
});
