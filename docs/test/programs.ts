import { dirname, join } from "node:path";
import { read } from "@petstore/test-kit/checkout";
import { blocksOf, type Block } from "./markdown-pages.ts";

/** Extensions of files that are modules, by language. */
const extensions: Readonly<Record<string, string>> = { ts: "mts", js: "mjs", mjs: "mjs" };

/** Whether a block is a program for Node. */
export function isProgram(block: Block): boolean {
  return block.language in extensions && !isExcerpt(block);
}

/** Whether a block is lines of a file of the checkout, which its first line names. */
export function isExcerpt({ language, code }: Block): boolean {
  return language === "ts" && /^\/\/ \S+\/\S+\.ts\n/.test(code);
}

/** Whether the lines of an excerpt are in the file, in order. `// …` stands for omitted lines. */
export function isInFile({ code }: Block): boolean {
  const [, file = "", lines = ""] = /^\/\/ (\S+)\n([^]*)$/.exec(code) ?? [];
  const parts = lines.split(/^ *\/\/ …\n/m).map(withoutIndent);
  const source = withoutIndent(read(file));
  return parts.every((part, index) =>
    source.includes(part, source.indexOf(parts[index - 1] ?? "")),
  );
}

function withoutIndent(text: string): string {
  return text.trim().replaceAll(/^ +/gm, "");
}

/**
 * A program, the name of its file, and what its comments say that it prints; `undefined` if they
 * say nothing.
 */
export function programOf(block: Block): {
  file: string;
  code: string;
  output: string | undefined;
} {
  const code = isWhole(block) ? block.code : `${quickStartOf(block.page)}\n${block.code}`;
  const output = [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, line]) => line).join("\n");
  const blocks = blocksOf(block.page);
  const position = blocks.findIndex((each) => each.code === block.code);
  const file = `${block.page.replaceAll(/\W/g, "-")}-${position + 1}.${extensions[block.language]}`;
  return { file, code, output: output === "" ? undefined : output };
}

/** A program without a client of its own continues another one. */
function isWhole({ code }: Block): boolean {
  return /^const client\b/m.test(code) || !/\bclient\b|\bcreatePetstoreClient\b/.test(code);
}

/** The first program of a page, or of the README to which the page belongs. */
function quickStartOf(page: string): string {
  const own = blocksOf(page).find(isProgram);
  const isOwn = own !== undefined && isWhole(own);
  const quickStart = isOwn ? own : blocksOf(join(dirname(page), "../README.md")).find(isProgram);
  if (quickStart === undefined)
    throw new Error(`${page}: a program uses a client that it does not create`);
  return quickStart.code;
}
