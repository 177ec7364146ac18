import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { readVersion, versionLabel } from "../../scripts/release.ts";
import { writeChanges } from "./changes.ts";
import { writeClientReference } from "./client-reference/write.ts";
import { writeCommandReference } from "./command-reference.ts";
import {
  addressOf,
  decisions,
  labels,
  placeOf,
  root,
  sections,
  summaryOf,
  titleOf,
} from "./contents.ts";
import { httpIndex, openApiCopy, writeHttpReference } from "./http-reference.ts";
import { markdownForMachines } from "./llms.ts";
import { copyCommands, findPictures, linkPages, resolveLinks } from "./markdown.ts";
import { openApiFile } from "./openapi.ts";
import { search } from "./search.ts";

const {
  GITHUB_SERVER_URL: server = "https://github.com",
  GITHUB_REPOSITORY: name = "petstore/petstore",
} = process.env;
const { PETSTORE_SITE_URL: site, PETSTORE_SITE_BASE: base = "/" } = process.env;
const repository = `${server}/${name}`;

writeChanges();
const httpReference = writeHttpReference();
const files = [
  ...Object.values(sections).flat(),
  ...decisions,
  ...httpReference.map(({ file }) => file),
];
const resolve = resolveLinks(new Set([...files, openApiCopy]), repository);

await writeClientReference();
writeCommandReference();

export default defineConfig({
  title: "Petstore",
  description:
    "The catalogue for animal shelters: a web board, an HTTP API, a typed client and a command line",
  lang: "en",
  base,
  srcDir: "..",
  outDir: "dist",
  cleanUrls: true,
  // The board has its help in other languages itself.
  srcExclude: [
    "*/*/{src,test,scripts}/**",
    ".*/**",
    "{AGENTS,CODE_OF_CONDUCT}.md",
    "**/{CHANGELOG.md,dist/**}",
    "docs/board.*.md",
  ],
  rewrites: Object.fromEntries(files.map((file) => [file, placeOf(file)])),
  ...(site !== undefined && { sitemap: { hostname: site } }),
  head: [
    ["link", { rel: "icon", href: `${base}logo.svg`, type: "image/svg+xml" }],
    ["meta", { property: "og:type", content: "website" }],
    ["meta", { property: "og:site_name", content: "Petstore" }],
  ],
  vite: {
    publicDir: join(root, "brand"),
    plugins: [
      ...markdownForMachines(resolve, base, site),
      {
        // The pages lie outside of this workspace, where Vue is not installed.
        name: "vue-of-vitepress",
        enforce: "pre",
        resolveId: {
          filter: { id: /^vue(?:\/|$)/ },
          handler(id) {
            return this.resolve(id, fileURLToPath(import.meta.resolve("vitepress")), {
              skipSelf: true,
            });
          },
        },
      },
      {
        name: "openapi-document",
        generateBundle() {
          this.emitFile({
            type: "asset",
            fileName: placeOf(openApiCopy),
            source: readFileSync(openApiFile),
          });
        },
      },
    ],
  },
  markdown: {
    config(md) {
      linkPages(md, resolve);
      findPictures(md);
    },
    codeTransformers: [copyCommands],
  },
  transformPageData({ filePath }) {
    return { description: summaryOf(filePath) };
  },
  transformHead({ pageData: { title, description, relativePath } }) {
    const address = new URL(addressOf(relativePath).slice(1), site ?? "http://localhost/").href;
    return [
      ["meta", { property: "og:title", content: title }],
      ["meta", { property: "og:description", content: description }],
      ...(site === undefined
        ? []
        : [["link", { rel: "canonical", href: address }] as [string, Record<string, string>]]),
    ];
  },
  themeConfig: {
    logo: "/logo.svg",
    outline: [2, 3],
    nav: [
      { text: "Tutorial", link: "/tutorial" },
      { text: "HTTP", link: "/http/" },
      { text: "Client", link: "/client/" },
      { text: "Command line", link: "/cli/" },
      { text: `Changes · ${versionLabel(readVersion())}`, link: "/changes" },
    ],
    sidebar: Object.entries(sections).map(([section, pages]) => ({
      text: section,
      items: pages.map((file) => ({
        text: labels[file] ?? titleOf(file),
        link: addressOf(file),
        ...(file === httpIndex && {
          collapsed: true,
          items: httpReference.map(({ title, file: below }) => ({
            text: title,
            link: addressOf(below),
          })),
        }),
      })),
    })),
    socialLinks: [{ icon: "github", link: repository }],
    editLink: { pattern: `${repository}/edit/main/:path`, text: "Edit this page" },
    search: { provider: "local", options: search },
    externalLinkIcon: true,
    notFound: {
      title: "There is nothing at this address",
      quote: "Search for it, or begin with the overview.",
      linkText: "Overview",
    },
  },
});
