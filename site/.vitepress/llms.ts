import { relative } from "node:path";
import type { UserConfig } from "vitepress";
import llmstxt from "vitepress-plugin-llms";
import { placeOf, root, summaryOf } from "./contents.ts";
import type { Resolve } from "./markdown.ts";

type Plugin = NonNullable<NonNullable<UserConfig["vite"]>["plugins"]>[number];

/**
 * Writes `llms.txt`, `llms-full.txt`, and each page as Markdown at its address with `.md`. The
 * library writes the text that it sees, so it sees one with links and a summary for this purpose.
 * The pages are made from the text as it was.
 */
export function markdownForMachines(
  resolve: Resolve,
  base: string,
  site: string | undefined,
): Plugin[] {
  const texts = new Map<string, string>();
  const address = (page: string) => `${base}${markdownOf(page)}`;
  return [
    {
      name: "text-for-machines",
      enforce: "pre",
      transform: {
        filter: { id: /\.md$/ },
        handler(text, id) {
          texts.set(id, text);
          const file = relative(root, id);
          return withSummary(
            withLinks(text, (href) => resolve(href, file, address) ?? href),
            summaryOf(file),
          );
        },
      },
    },
    ...llmstxt({
      ...(site !== undefined && { domain: new URL(site).origin }),
      excludeIndexPage: false,
      excludeUnnecessaryFiles: false,
      // Else it says so in a hidden text of each page.
      injectLLMHint: false,
    }),
    {
      name: "text-for-people",
      enforce: "pre",
      transform: { filter: { id: /\.md$/ }, handler: (_text, id) => texts.get(id) },
    },
  ];
}

/**
 * Where the site has a page as Markdown: its address with `.md`, such as `client.md` for
 * `/client/`.
 */
function markdownOf(page: string): string {
  return placeOf(page).replace(/(.)\/index\.md$/, "$1.md");
}

/** The text with other links, except in blocks of code. */
function withLinks(text: string, link: (href: string) => string): string {
  const parts = text.split(/(^ *```[^]*?^ *```$)/m);
  return parts
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/(?<=\]\()[^)\s]+(?=\))/g, link),
    )
    .join("");
}

function withSummary(text: string, summary: string): string {
  const description = `description: ${JSON.stringify(summary)}\n`;
  return text.startsWith("---\n")
    ? text.replace("---\n", `---\n${description}`)
    : `---\n${description}---\n\n${text}`;
}
