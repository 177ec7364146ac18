import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readVersion, versionLabel } from "../../scripts/release.ts";
import { changesPage } from "../.vitepress/changes.ts";
import { read, root } from "./site.ts";

const notes = [
  '---\n"@petstore/client": minor\n---\n\nRead lists backwards.\n',
  '---\n"@petstore/cli": patch\n"@petstore/client": patch\n---\n\nFix both.\n',
  "---\n---\n\nNobody notices this.\n",
];

const changelogs: Readonly<Record<string, string>> = {
  "packages/client":
    "# @petstore/client\n\n## 1.0.0\n\n### Major Changes\n\n- 1a2b3c4: First release.\n\n  - It reads lists.\n",
  "apps/cli":
    "# @petstore/cli\n\n## 1.0.0\n\n### Major Changes\n\n- 1a2b3c4: First command line.\n",
};

/** The page without its beginning, which is always the same. */
function sectionsOf(page: string): string {
  return page.slice(page.indexOf("\n\n## ") + 2);
}

test("before the first release, the page of changes has the notes for it", () => {
  expect(sectionsOf(changesPage(notes, () => ""))).toBe(
    "## Not released yet\n\n### The client\n\nRead lists backwards.\n\nFix both.\n\n### The command line\n\nFix both.\n",
  );
});

test("after a release, the page of changes has the changelogs, one level deeper", () => {
  expect(sectionsOf(changesPage([], (workspace) => changelogs[workspace] ?? ""))).toBe(
    [
      "## The client\n\n### 1.0.0\n\n#### Major Changes\n\n- 1a2b3c4: First release.\n\n  - It reads lists.",
      "## The command line\n\n### 1.0.0\n\n#### Major Changes\n\n- 1a2b3c4: First command line.\n",
    ].join("\n\n"),
  );
});

test("between two releases, the page of changes has both, what is not released first", () => {
  const page = changesPage(notes, (workspace) => changelogs[workspace] ?? "");
  expect(page.match(/^## .*$/gm)).toEqual([
    "## Not released yet",
    "## The client",
    "## The command line",
  ]);
});

test("the header of every page has the state of the checkout, and leads to the page of changes", () => {
  for (const page of ["index.html", "tutorial.html", "client/index.html"]) {
    const [header = ""] = /<header class="VPNav"[^]*?<\/header>/.exec(read(page)) ?? [];
    expect(header).toContain(`>Changes · ${versionLabel(readVersion())}<`);
    expect(header).toContain('href="/changes"');
  }
});

test("the page of changes of the site has what this checkout says", () => {
  const page = read("changes.html").replaceAll(/<[^>]+>/g, "");
  const notesOfCheckout = globSync(".changeset/*.md", { cwd: root, exclude: ["**/README.md"] });
  const texts = notesOfCheckout.map(
    (file) => readFileSync(join(root, file), "utf8").split("---\n")[2]?.trim() ?? "",
  );
  for (const text of texts) expect(page).toContain(text.split(/[`:.]/)[0]);
  expect(page).not.toContain("Edit this page");
});
