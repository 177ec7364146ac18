import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lexer, Marked, type RendererObject } from "marked";
import type { Plugin } from "vite";

const source = join(import.meta.dirname, "../../../docs/board.md");

/** Puts docs/board.md into help.html. */
export function help(): Plugin {
  return {
    name: "help",
    buildStart() {
      this.addWatchFile(source);
    },
    transformIndexHtml: {
      order: "pre",
      handler: (page) => page.replace("<!-- docs/board.md -->", () => toHtml(readFileSync(source, "utf8"))),
    },
  };
}

/** With the contents below the title. */
function toHtml(markdown: string): string {
  const contents = contentsOf(markdown);
  const renderer: RendererObject = {
    heading({ tokens, text, depth }) {
      const heading = `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      return depth === 1 ? heading + contents : heading;
    },
    // Links lead to other files of the repository, which the server does not have.
    link({ tokens }) {
      return this.parser.parseInline(tokens);
    },
  };
  return new Marked({ renderer }).parse(markdown, { async: false });
}

function contentsOf(markdown: string): string {
  const links = lexer(markdown).flatMap((block) =>
    block.type === "heading" && block["depth"] === 2
      ? [`<li><a href="#${idOf(block["text"] as string)}">${block["text"]}</a></li>`]
      : [],
  );
  return `<nav aria-label="Contents"><ul>${links.join("")}</ul></nav>\n`;
}

function idOf(heading: string): string {
  return heading.toLowerCase().replaceAll(" ", "-");
}
