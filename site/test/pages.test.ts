import { existsSync, globSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { dist, pages, read, root } from "./site.ts";

/** The page of each decision. */
const decisions = pages.filter((page) => /^decisions\/\d/.test(page));

test("every page of docs/ is a page of the site, and in its sidebar", () => {
  // A dot is in translations of the help: board.de.md.
  const docs = globSync("docs/*.md", { cwd: root, exclude: ["docs/*.*.md"] }).map((file) =>
    file.replace(/^docs\/|\.md$/g, ""),
  );
  expect(docs.length).toBeGreaterThan(10);
  const [sidebar = ""] = /<aside class="VPSidebar"[^]*?<\/aside>/.exec(read("index.html")) ?? [];
  expect(
    docs.filter(
      (page) => !existsSync(join(dist, `${page}.html`)) || !sidebar.includes(`href="/${page}"`),
    ),
  ).toEqual([]);
  const others = pages.filter((page) => !decisions.includes(page));
  expect(
    others.filter((page) => !sidebar.includes(`href="/${page.replace(/(?:index)?\.html$/, "")}"`)),
  ).toEqual([]);
});

test("every decision is a page of the site, and in the contents of decisions", () => {
  const files = globSync("docs/decisions/*-*.md", { cwd: root });
  expect(files.map((file) => file.replace(/^docs\/(.*)\.md$/, "$1.html")).toSorted()).toEqual(
    decisions.toSorted(),
  );
  const contents = read("decisions/index.html");
  expect(
    decisions.filter((page) => !contents.includes(`href="/${page.replace(/\.html$/, "")}"`)),
  ).toEqual([]);
});

test("every link leads to a page of the site and a part of it, and every picture is there", () => {
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/ (?:href|src)="(?![a-z]+:)([^"#]*)(?:#([^"]*))?"/g)].map(
      ([, path = "", part = ""]) => {
        const place =
          path === "" ? page : path.startsWith("/") ? path.slice(1) : join(dirname(page), path);
        const file = [place, `${place}.html`, join(place, "index.html")].find(
          (name) => existsSync(join(dist, name)) && statSync(join(dist, name)).isFile(),
        );
        return { page, path, part, file };
      },
    ),
  );
  expect(links.length).toBeGreaterThan(1000);
  expect(
    links.filter(
      ({ file, part }) =>
        file === undefined || (part !== "" && !read(file).includes(` id="${decodeURI(part)}"`)),
    ),
  ).toEqual([]);
});

test("every page has its own description", () => {
  const descriptions = pages.map(
    (page) => /<meta name="description" content="([^"]+)"/.exec(read(page))?.[1],
  );
  expect(descriptions).not.toContain(undefined);
  expect(new Set(descriptions).size).toBe(pages.length);
});

test("no page or style loads anything from another server", () => {
  const files = [...pages, ...globSync("assets/*.css", { cwd: dist })];
  const loaded = files.flatMap((file) => {
    const text = read(file).replaceAll(/<pre[^]*?<\/pre>/g, "");
    return (
      text.match(
        /<(?!a\b|svg\b)[^<>]*(?:src|href)="https?:[^<>]*>|@import[^;]*;|url\(["']?https?:/g,
      ) ?? []
    );
  });
  expect(loaded).toEqual([]);
});
