import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "astro";
import { notFoundPage, toSitePage } from "../src/page.ts";
import { placeIn } from "../src/place.ts";
import { pages, unlisted } from "../src/sections.ts";

// Writes the pages of the site from those of the checkout, and builds it.

const root = join(import.meta.dirname, "../..");
const site = join(import.meta.dirname, "..");
const content = join(site, "src/content/docs");
const place = placeIn(process.env);

const missing = unlisted(globSync("docs/*.md", { cwd: root }));
if (missing.length > 0) throw new Error(`Not in the sidebar: ${missing.join(", ")}. Add them to site/src/sections.ts.`);

rmSync(content, { recursive: true, force: true });
for (const page of pages) {
  const path = join(content, `${page.slug || "index"}.md`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, toSitePage(page, readFileSync(join(root, page.file), "utf8"), place));
}
writeFileSync(join(content, "404.md"), notFoundPage(place));
rmSync(join(site, "public/images"), { recursive: true, force: true });
cpSync(join(root, "docs/images"), join(site, "public/images"), { recursive: true });

await build({ root: site });
