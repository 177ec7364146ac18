import { globSync } from "node:fs";
import { read, root } from "@petstore/test-kit/checkout";
import { lexer, walkTokens } from "marked";

/** Every page, as a path from the root. */
export const pages = globSync(
  [
    "*.md",
    ".changeset/*.md",
    ".github/**/*.md",
    "{apps,packages,tests}/*/*.md",
    "packages/client/docs/int64.md",
    "deploy/**/*.md",
    "docs/*.md",
  ],
  { cwd: root, exclude: ["**/CHANGELOG.md"] }, // written by a release
).toSorted();

/** A block of code of a page. */
export interface Block {
  page: string;
  /** The word after the fence; empty if there is none. */
  language: string;
  code: string;
}

/** Every block of a page, in order; indented ones, and those in lists and quotations too. */
export function blocksOf(page: string): Block[] {
  return blocksOfText(page, read(page));
}

/** The same of a page that is not in the checkout. */
export function blocksOfText(page: string, text: string): Block[] {
  const found: Block[] = [];
  void walkTokens(lexer(text), (token) => {
    if (token.type === "code") found.push({ page, language: token["lang"] ?? "", code: token["text"] as string });
  });
  return found;
}

/** The only block of a page with this beginning. */
export function blockOf(page: string, beginning: string): string {
  const [block, ...others] = blocksOf(page).filter(({ code }) => code.startsWith(beginning));
  if (block === undefined || others.length > 0)
    throw new Error(`${page} must have exactly one block that begins with: ${beginning}`);
  return block.code;
}

/** The blocks of a page in a language. */
export function blocksIn(page: string, language: string): Block[] {
  return blocksOf(page).filter((block) => block.language === language);
}

/** Whether readers type a block into their shell and see its output. sessions.test.ts does the same. */
export function isTyped({ language, code }: Block): boolean {
  return language === "console" || code.startsWith("petstore auth login");
}

/** The files that a patch changes, in order. */
export function filesOfPatch(patch: string): string[] {
  return [...read(patch).matchAll(/^diff --git a\/(\S+) /gm)].map(([, file = ""]) => file);
}

/** The files that a guide says to change. */
export function filesIn(page: string): string[] {
  return [...read(page).matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = ""]) => file);
}
