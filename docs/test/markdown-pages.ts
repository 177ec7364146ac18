import { globSync } from "node:fs";
import { read, root } from "@petstore/test-kit/checkout";
import { lexer, walkTokens } from "marked";

/** Every page of the checkout, as a path from its root. */
export const pages = globSync(["**/*.md", ".*/**/*.md"], {
  cwd: root,
  // The last ones are written by a release, before they are published, and when the site is built.
  exclude: ["**/node_modules", ".git", "**/dist", "**/CHANGELOG.md", "site/**"],
}).toSorted();

/** A block of code of a page. */
export interface Block {
  page: string;
  /** The word after the fence; empty if there is none. */
  language: string;
  code: string;
  /**
   * What it needs that tests lack, by the mark before it. Every block without one is run by
   * blocks.test.ts.
   */
  notRun: string | undefined;
}

/** Every block of a page, in order; indented ones, and those in lists and quotations too. */
export function blocksOf(page: string): Block[] {
  return blocksOfText(page, read(page));
}

/**
 * The same of a page that is not in the checkout.
 * @throws {Error} for a mark `<!-- not run: REASON -->` without a reason, or that is not directly
 * before a block
 */
export function blocksOfText(page: string, text: string): Block[] {
  const found: Block[] = [];
  let mark: string | undefined;
  function expectNoMark(): void {
    if (mark !== undefined)
      throw new Error(`${page}: no block of code follows the mark ${mark.trim()}`);
  }
  void walkTokens(lexer(text), (token) => {
    if (token.type === "space") return;
    if (token.type === "code") {
      const code = token["text"] as string;
      found.push({
        page,
        language: token["lang"] ?? "",
        code,
        notRun: mark && reasonOf(page, mark),
      });
      mark = undefined;
      return;
    }
    expectNoMark();
    if (token.type === "html" && /not[ -]run/i.test(token.raw)) mark = token.raw;
  });
  expectNoMark();
  return found;
}

function reasonOf(page: string, mark: string): string {
  const [, reason] = /^<!-- not run: (\w.*\w) -->\s*$/.exec(mark) ?? [];
  if (reason === undefined)
    throw new Error(`${page}: ${mark.trim()} must be like <!-- not run: needs Docker -->`);
  return reason;
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

/** The files that a patch changes, in order. */
export function filesOfPatch(patch: string): string[] {
  return [...read(patch).matchAll(/^diff --git a\/(\S+) /gm)].map(([, file = ""]) => file);
}

/** The files that a guide says to change. */
export function filesIn(page: string): string[] {
  return [...read(page).matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = ""]) => file);
}
