import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const dist = join(import.meta.dirname, "../dist");
const pages = globSync("{index.html,documents/*.html}", { cwd: dist });

function read(file: string): string {
  return readFileSync(join(dist, file), "utf8");
}

test("every page of docs/ is a page of the site, under its title", () => {
  const sources = globSync(join(import.meta.dirname, "../../docs/*.md"));
  const titles = sources.map((file) => /^# (.+)/.exec(readFileSync(file, "utf8"))?.[1]);
  expect(titles.length).toBeGreaterThan(10);
  expect(pages.map((page) => /<h1 [^>]*>([^<]*)/.exec(read(page))?.[1])).toEqual(expect.arrayContaining(titles));
});

test("every link leads to a page of the site and a part of it, and every picture is there", () => {
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/(?:href|src|srcset)="(?!https?:)([^"#]*)(?:#([^"]*))?"/g)].map(([, path = "", part]) => {
      const file = path === "" ? page : join(dirname(page), decodeURI(path));
      return { page, file, part };
    }),
  );
  const isThere = ({ file, part }: (typeof links)[number]): boolean =>
    existsSync(join(dist, file)) && (part === undefined || part === "" || read(file).includes(` id="${part}"`));
  expect(links).toContainEqual({ page: "index.html", file: "documents/Tutorial.html", part: undefined });
  expect(links.filter((link) => !isThere(link))).toEqual([]);
  // A page that the sidebar lacks would be a copy of its Markdown.
  expect(globSync("media/*.md", { cwd: dist })).toEqual([]);
});

test("no page or style loads anything from another server", () => {
  const files = [...pages, ...globSync("assets/*.css", { cwd: dist })];
  const loaded = files.flatMap((file) => {
    const text = read(file).replaceAll(/<pre[^]*?<\/pre>/g, "");
    return text.match(/<(?!a\b|svg\b)[^<>]*(?:src|href)="https?:[^<>]*>|@import[^;]*;|url\(["']?https?:/g) ?? [];
  });
  expect(loaded).toEqual([]);
});
