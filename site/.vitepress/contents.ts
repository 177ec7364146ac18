import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The checkout. */
export const root = join(import.meta.dirname, "../..");

/** The reference of each entry point of the client: pages that the build writes. */
export const clientReference = [
  {
    source: "packages/client/src/index.ts",
    page: "site/reference/client/index.md",
    title: "Reference of `@petstore/client`",
    summary:
      "Every export of `@petstore/client`: the client, its options, results, errors, events and types.",
  },
  {
    source: "packages/client/src/int64.ts",
    page: "site/reference/client/int64.md",
    title: "Reference of `@petstore/client/int64`",
    summary:
      "Every export of `@petstore/client/int64`, which reads and writes 64-bit integers exactly.",
  },
  {
    source: "packages/client/src/testing.ts",
    page: "site/reference/client/testing.md",
    title: "Reference of `@petstore/client/testing`",
    summary:
      "Every export of `@petstore/client/testing`: the fake service, its options, and faults to inject.",
  },
];

/** A page for each decision. They are many: their contents are in the sidebar, and they are not. */
export const decisions = globSync("docs/decisions/*-*.md", { cwd: root });

/** Every page in the sidebar, in the order in which to read them. */
export const sections = {
  "Start here": [
    "README.md",
    "docs/tutorial.md",
    "docs/board.md",
    "docs/troubleshooting.md",
    "site/changes.md",
  ],
  "Call it over HTTP": ["docs/api.md", "site/http/index.md"],
  "Call it from TypeScript": [
    "packages/client/README.md",
    "packages/client/docs/recipes.md",
    "packages/client/docs/int64.md",
    ...clientReference.map(({ page }) => page),
  ],
  "Use it at a terminal": ["apps/cli/README.md", "site/reference/cli.md"],
  "Run it": [
    "docs/server.md",
    "docs/configuration.md",
    "docs/deployment.md",
    "docs/proxies.md",
    "docs/operations.md",
    "docs/upgrading.md",
    "docs/scaling.md",
    "docs/postgresql-backup.md",
    "SECURITY.md",
  ],
  "Change it": [
    "CONTRIBUTING.md",
    "docs/architecture.md",
    "docs/decisions/README.md",
    "docs/adding-an-operation.md",
    "docs/adding-a-field.md",
    "docs/performance.md",
    "SUPPORT.md",
  ],
};

/** Names in the sidebar that say more than the heading of the page. */
export const labels: Readonly<Record<string, string>> = {
  "README.md": "Overview",
  "docs/board.md": "The board, for staff",
  "packages/client/README.md": "The client",
  "site/reference/client/index.md": "Reference",
  "site/reference/client/int64.md": "Reference of int64",
  "site/reference/client/testing.md": "Reference of testing",
  "apps/cli/README.md": "The command line",
  "site/reference/cli.md": "Reference of commands",
};

/**
 * Where the site has a file of the checkout: `docs/api.md` is `api.md`, `packages/client/README.md`
 * is `client/index.md`.
 */
export function placeOf(file: string): string {
  return file
    .replace(/^(?:docs|packages|apps|site)\//, "")
    .replace(/^client\/docs\//, "client/")
    .replace(/README\.md$/, "index.md")
    .replace(/^[A-Z]+\.md$/, (name) => name.toLowerCase());
}

/** The address of a page on the site. */
export function addressOf(file: string): string {
  return `/${placeOf(file)
    .replace(/(^|\/)index\.md$/, "$1")
    .replace(/\.md$/, "")}`;
}

/** The heading of a page, without marks. */
export function titleOf(file: string): string {
  return /^# (.+)/m.exec(readFileSync(join(root, file), "utf8"))?.[1]?.replaceAll("`", "") ?? file;
}

/** The first sentences of a page, without marks, for search engines and previews of links. */
export function summaryOf(file: string): string {
  const [, body = ""] = readFileSync(join(root, file), "utf8").split(/^# .+$/m);
  const paragraph = body.split(/\n\n+/).find((block) => /^[\w*`[@]/.test(block.trim())) ?? "";
  const text = paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[*`]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return text.length <= 180 ? text : `${text.slice(0, 180).replace(/\s\S*$/, "")} …`;
}
