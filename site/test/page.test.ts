import { expect, test } from "vitest";
import { toSitePage } from "../src/page.ts";
import { placeIn } from "../src/place.ts";
import { unlisted } from "../src/sections.ts";

const page = { file: "docs/api.md", slug: "api" };
const published = placeIn({
  SITE_URL: "https://owner.example/petstore",
  GITHUB_SERVER_URL: "https://github.example",
  GITHUB_REPOSITORY: "owner/petstore",
});

/** The text of a page of the site, after its front matter. */
function convert(markdown: string, place = published): string {
  return toSitePage(page, `# Title\n${markdown}`, place).split("---\n")[2] ?? "";
}

test("links between pages lead to pages of the site, below the path that it has", () => {
  expect(convert("[a](server.md#limits) and [b](../packages/client/README.md)")).toBe(
    "[a](/petstore/server/#limits) and [b](/petstore/client/)",
  );
  expect(convert("[a](server.md)", placeIn({}))).toBe("[a](/server/)");
  const others = "[c](#limits) [d](https://nodejs.org/)";
  expect(convert(others)).toBe(others);
});

test("a link to a file that is not a page leads to the repository, or becomes text if the repository is unknown", () => {
  const markdown = "see [`the document`](../packages/contract/openapi.json)";
  expect(convert(markdown)).toBe(
    "see [`the document`](https://github.example/owner/petstore/blob/main/packages/contract/openapi.json)",
  );
  expect(convert(markdown, placeIn({}))).toBe("see `the document`");
});

test("code stays as it is", () => {
  const markdown = "```md\n[a](server.md)\n```\n[a](server.md)";
  expect(convert(markdown)).toBe("```md\n[a](server.md)\n```\n[a](/petstore/server/)");
});

test("a page has the title of its heading, and a link to edit it", () => {
  const [, frontMatter = ""] = toSitePage(page, "# The: title\ntext", published).split("---\n");
  expect(JSON.parse(frontMatter)).toEqual({
    title: "The: title",
    editUrl: "https://github.example/owner/petstore/edit/main/docs/api.md",
  });
  expect(() => toSitePage(page, "text", published)).toThrow("docs/api.md must begin with a heading");
});

test("a page that is not in the sidebar is found", () => {
  expect(unlisted(["docs/api.md", "docs/new.md"])).toEqual(["docs/new.md"]);
});
