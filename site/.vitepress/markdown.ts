import { existsSync } from "node:fs";
import { join, posix, relative } from "node:path";
import type { MarkdownEnv, MarkdownOptions } from "vitepress";
import { addressOf, clientReference, root } from "./contents.ts";

type Markdown = Parameters<NonNullable<MarkdownOptions["config"]>>[0];
type Transformer = NonNullable<MarkdownOptions["codeTransformers"]>[number];

/**
 * Where a link of a file leads on the site. To a page, it leads to its `address`; to another file,
 * such as LICENSE, to the repository. The source of an entry point of the client is read in its
 * reference. `undefined` if the link stays as it is.
 */
export type Resolve = (
  href: string,
  file: string,
  address: (page: string) => string,
) => string | undefined;

export function resolveLinks(pages: ReadonlySet<string>, repository: string): Resolve {
  return (href, file, address) => {
    if (/^(?:[a-z]+:|#|\/)/.test(href)) return undefined;
    const [path = "", part] = href.split("#");
    const linked = posix.join(posix.dirname(file), decodeURI(path));
    const hash = part === undefined ? "" : `#${part}`;
    const page = clientReference.find(({ source }) => source === linked)?.page ?? linked;
    if (pages.has(page)) return address(page) + hash;
    // Anything else stays, and fails the build as a dead link.
    return existsSync(join(root, linked)) ? `${repository}/blob/main/${linked}${hash}` : undefined;
  };
}

/** Links between files of the checkout lead to pages of the site. */
export function linkPages(md: Markdown, resolve: Resolve): void {
  md.core.ruler.push(
    "link-pages",
    ({ tokens, env }: { tokens: Token[]; env: MarkdownEnv & { realPath?: string } }) => {
      const file = relative(root, env.realPath ?? env.path);
      for (const token of tokens.flatMap(({ children }) => children ?? [])) {
        const href = token.type === "link_open" ? token.attrGet("href") : null;
        const address = href === null ? undefined : resolve(href, file, addressOf);
        if (address !== undefined) token.attrSet("href", address);
      }
    },
  );
}

interface Token {
  type: string;
  content: string;
  children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/**
 * Pictures in HTML: VitePress finds those that begin with a dot. Both colour schemes follow the
 * switch of the site.
 */
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
