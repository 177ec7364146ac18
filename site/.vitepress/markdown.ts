import { existsSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import type { MarkdownEnv, MarkdownOptions } from "vitepress";
import { addressOf, root } from "./pages.ts";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];
type Transformer = NonNullable<MarkdownOptions["codeTransformers"]>[number];

/** Links between files of the checkout lead to pages of the site; to other files, such as LICENSE, they lead to the repository. */
export function linkPages(md: Markdown, pages: ReadonlySet<string>, repository: string): void {
  md.core.ruler.push("link-pages", ({ tokens, env }: { tokens: Token[]; env: MarkdownEnv & { realPath?: string } }) => {
    const folder = dirname(relative(root, env.realPath ?? env.path));
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === "link_open" ? token.attrGet("href") : null;
      if (href === null || /^(?:[a-z]+:|#|\/)/.test(href)) continue;
      const [path = "", part] = href.split("#");
      const file = posix.join(folder, decodeURI(path));
      const hash = part === undefined ? "" : `#${part}`;
      if (pages.has(file)) token.attrSet("href", addressOf(file) + hash);
      else if (existsSync(join(root, file))) token.attrSet("href", `${repository}/blob/main/${file}${hash}`);
      // Anything else stays, and fails the build as a dead link.
    }
  });
}

interface Token {
  type: string;
  content: string;
  children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** Pictures in HTML: VitePress finds those that begin with a dot. Both colour schemes follow the switch of the site. */
export function findPictures(md: Markdown): void {
  md.core.ruler.push("find-pictures", ({ tokens }: { tokens: Token[] }) => {
    for (const token of tokens)
      if (token.type === "html_block")
        token.content = token.content.replaceAll(/\b(src|srcset)="(?![a-z]+:|[./])/g, '$1="./');
  });
}

/** In a terminal, copying takes the commands: no prompt and no output. */
export const copyCommands: Transformer = {
  name: "copy-commands",
  line(node) {
    if (this.options.lang !== "console") return;
    const [first] = node.children;
    const [text] = first?.type === "element" ? first.children : [];
    if (text?.type === "text" && text.value.startsWith("$ ")) {
      text.value = text.value.slice(2);
      const prompt = { type: "text" as const, value: "$ " };
      node.children.unshift({
        type: "element",
        tagName: "span",
        properties: { class: "prompt vp-copy-ignore" },
        children: [prompt],
      });
    } else {
      this.addClassToHast(node, "vp-copy-ignore");
    }
  },
};
