import { posix } from "node:path";
import { renderMermaidSVG } from "beautiful-mermaid";
import type { Place } from "./place.ts";
import { home, pages, type SourcePage } from "./sections.ts";

const slugs = new Map(pages.map(({ file, slug }) => [file, slug]));

/** Turns a page that reads well on GitHub into one of the site. */
export function toSitePage(page: SourcePage, markdown: string, place: Place): string {
  const [, title = "", body = ""] = /^# (.+)\n([^]*)$/.exec(markdown) ?? [];
  if (title === "") throw new Error(`${page.file} must begin with a heading: # Title`);
  const isHome = page.file === home.file;
  const editUrl = place.repository !== undefined && `${place.repository}/edit/main/${page.file}`;
  const frontMatter = { title, editUrl, ...(isHome && heroOf(body, place)) };
  const text = isHome ? withoutIntroduction(body) : body;
  // JSON is YAML.
  return `---\n${JSON.stringify(frontMatter)}\n---\n${convert(text, page.file, place)}`;
}

/** The page for unknown addresses. */
export function notFoundPage({ base }: Place): string {
  return `---
title: Page not found
template: splash
editUrl: false
---
No page has this address. Use the search above, or go to the [home page](${base}/) or the [tutorial](${base}/tutorial/).
`;
}

/** The sentence in bold that the README begins with, above two buttons. */
function heroOf(body: string, { base }: Place): object {
  const [, tagline = ""] = /^\*\*(.+?)\*\*/m.exec(body) ?? [];
  if (tagline === "") throw new Error("README.md must say in one bold sentence what this is");
  const actions = [
    { text: "Start the tutorial", link: `${base}/tutorial/`, icon: "right-arrow" },
    { text: "Read the API guide", link: `${base}/api/`, variant: "minimal" },
  ];
  return { template: "splash", hero: { tagline, actions } };
}

/** Badges and the sentence stand above the picture. */
function withoutIntroduction(body: string): string {
  return body.slice(body.indexOf("<picture>"));
}

function convert(markdown: string, file: string, place: Place): string {
  // Every second part is a block of code.
  const parts = markdown.split(/(^ *```[^]*?^ *```$)/m);
  return parts.map((part, index) => (index % 2 === 0 ? convertProse(part, file, place) : convertCode(part))).join("");
}

function convertProse(prose: string, file: string, place: Place): string {
  return prose
    .replaceAll(/<picture>[^]*?<\/picture>/g, (picture) => convertPicture(picture, place))
    .replaceAll(/(?<!!)\[([^\][]+)\]\(([^)\s]+)\)/g, (_, words: string, link: string) => {
      const address = addressOf(link, file, place);
      return address === undefined ? words : `[${words}](${address})`;
    });
}

/** Where a link of a file leads on the site. `undefined`: nowhere. */
function addressOf(link: string, file: string, { base, repository }: Place): string | undefined {
  if (/^(?:[a-z]+:|#)/.test(link)) return link;
  const [path = "", heading] = link.split("#");
  const target = posix.join(posix.dirname(file), path);
  const slug = slugs.get(target);
  if (slug === undefined) return repository && `${repository}/blob/main/${target}`;
  return `${base}/${slug}${slug === "" ? "" : "/"}${heading === undefined ? "" : `#${heading}`}`;
}

/** On GitHub a picture follows the system's colours; here it follows the reader's choice. */
function convertPicture(picture: string, { base }: Place): string {
  const [, dark = ""] = /srcset="docs\/([^"]+)"/.exec(picture) ?? [];
  const [, light = ""] = /src="docs\/([^"]+)"/.exec(picture) ?? [];
  const [size = ""] = /alt="[^"]*" width="\d+" height="\d+"/.exec(picture) ?? [];
  return `<img class="dark:sl-hidden" src="${base}/${light}" ${size}>\n<img class="light:sl-hidden" src="${base}/${dark}" ${size}>`;
}

/** Mermaid is drawn here, in the colours of the site: readers need no program for it. */
function convertCode(block: string): string {
  const [, source] = /^```mermaid\n([^]*)\n```$/.exec(block) ?? [];
  if (source === undefined) return block;
  const [titleLine = "", title = ""] = /^ *accTitle: (.+)\n/m.exec(source) ?? [];
  const svg = renderMermaidSVG(source.replace(titleLine, ""), {
    bg: "var(--sl-color-bg)",
    fg: "var(--sl-color-text)",
    accent: "var(--sl-color-text-accent)",
    transparent: true,
  });
  // The font would come from another server. An empty line would end the HTML.
  const drawing = svg.replace(/@import url\('[^']*'\);/, "").replaceAll(/\s*\n\s*/g, " ");
  return `<figure class="diagram" role="img" aria-label="${title}">${drawing}</figure>`;
}
