import { globSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const workspace = join(import.meta.dirname, "..");
const built = readFiles(join(workspace, "built"));

/** The files in a directory, by path. */
function readFiles(directory: string): Map<string, Buffer> {
  const files = globSync("**/*.*", { cwd: directory }).concat("THIRD-PARTY-NOTICES");
  return new Map(files.toSorted().map((path) => [path, readFileSync(join(directory, path))]));
}

test.for([
  ["index-*.js", 60_000],
  ["workbook-*.js", 40_000], // loaded for an Excel file
  ["*.css", 15_000],
] as const)("%s files have at most %i bytes, compressed with gzip -9", ([pattern, most]) => {
  const files = [...built].flatMap(([path, content]) => (matchesGlob(path, `assets/${pattern}`) ? [content] : []));
  expect(files).not.toEqual([]);
  const sizes = files.map((content) => gzipSync(content, { level: 9 }).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(most);
});

test("nothing in the files needs more than the policy of the server allows", () => {
  const pages = [...built].filter(([path]) => path.endsWith(".html"));
  expect(pages.map(([path]) => path)).toEqual(["help.html", "index.html"]);
  for (const [, page] of pages) {
    expect(page.toString()).not.toMatch(
      /<style|<script(?![^>]* src="\.\/assets\/)|\sstyle=|\son\w+=|(?:src|href)="(?!\.\/|#)/i,
    );
  }
  const styles = filesOf("css").join("\n");
  expect(styles).toContain("{");
  expect(styles).not.toMatch(/data:|https?:|@import/i);
  const [icon, ...others] = filesOf("svg");
  expect(icon?.toString()).toMatch(/^<svg /);
  expect([icon, ...others].join("\n")).not.toMatch(/<script|<style|\son\w+=/i);
});

test("the page has no code for other places: neither development tools nor the manifest of the client", () => {
  const scripts = filesOf("js").join("\n");
  expect(scripts).toContain("petstore"); // the client
  expect(scripts).not.toMatch(/publishConfig|jsxDEV|__PREACT_DEVTOOLS__/);
});

function filesOf(extension: string): Buffer[] {
  return [...built].filter(([path]) => path.endsWith(`.${extension}`)).map(([, content]) => content);
}
