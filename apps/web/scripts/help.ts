import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { lexer, Marked, type RendererObject } from "marked";
import type { Plugin } from "vite";
import type { Words } from "../src/language/words/en.ts";

const workspace = join(import.meta.dirname, "..");
const frame = join(workspace, "help.html");

/** A page of the help, in one language of the board. */
interface HelpPage {
  words: Words;
  /** The Markdown. */
  source: string;
}

/**
 * Builds a page of every language from help.html, its words and its Markdown: help.html in English,
 * help.de.html in German.
 */
export async function help(): Promise<Plugin> {
  const pages = await findPages();
  return {
    name: "help",
    config: () => ({ build: { rolldownOptions: { input: [...pages.keys()] } } }),
    // Other languages have no file of their own.
    resolveId: (id) => (pages.has(id) ? join(workspace, id) : undefined),
    load: {
      filter: { id: /\.html$/ },
      handler: (id) => (pages.has(basename(id)) ? readFileSync(frame, "utf8") : undefined),
    },
    buildStart() {
      for (const { source } of pages.values()) this.addWatchFile(source);
    },
    transformIndexHtml: {
      order: "pre",
      handler(html, { filename }) {
        const page = pages.get(basename(filename));
        return page && fill(html, page);
      },
    },
  };
}

/** By the names of the built files. */
async function findPages(): Promise<ReadonlyMap<string, HelpPage>> {
  // its path may contain (1)
  const files = globSync("src/language/words/*.ts", { cwd: workspace }).toSorted();
  const pages = files.map(async (file) => {
    const { words } = (await import(pathToFileURL(join(workspace, file)).href)) as { words: Words };
    const suffix = words.language.tag === "en" ? "" : `.${words.language.tag}`;
    return [
      `help${suffix}.html`,
      { words, source: join(workspace, `../../docs/board${suffix}.md`) },
    ] as const;
  });
  return new Map(await Promise.all(pages));
}

function fill(html: string, { words, source }: HelpPage): string {
  const { language, account, help: texts } = words;
  const values: Record<string, string> = {
    language: language.tag,
    direction: language.direction,
    title: account.help,
    back: texts.back,
    content: toHtml(readFileSync(source, "utf8"), texts.contents),
  };
  return html.replaceAll(/\{\{ (\w+) \}\}/g, (_, name: string) => values[name] ?? name);
}

/** @param label says what the contents below the title are */
function toHtml(markdown: string, label: string): string {
  const contents = contentsOf(markdown, label);
  const renderer: RendererObject = {
    heading({ tokens, text, depth }) {
      const heading = `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      return depth === 1 ? heading + contents : heading;
    },
    // Links to other files of the repository lead nowhere: the server does not have them.
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      return href.startsWith("#") ? `<a href="${href}">${text}</a>` : text;
    },
  };
  return new Marked({ renderer }).parse(markdown, { async: false });
}

function contentsOf(markdown: string, label: string): string {
  const links = lexer(markdown).flatMap((block) =>
    block.type === "heading" && block["depth"] === 2
      ? [`<li><a href="#${idOf(block["text"] as string)}">${block["text"]}</a></li>`]
      : [],
  );
  return `<nav aria-label="${label}"><ul>${links.join("")}</ul></nav>\n`;
}

/** The same as on GitHub, in any language. */
function idOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");
}
