import { globSync } from "node:fs";
import { basename } from "node:path";
import { maxNameLength } from "@petstore/contract";
import { read, root } from "@petstore/test-kit/checkout";
import { lexer, type Token, type Tokens } from "marked";
import { describe, expect, test } from "vitest";

/** Each language of the board, by its tag. */
const languages = globSync("apps/web/src/language/words/*.ts", { cwd: root }).map((file) =>
  basename(file, ".ts"),
);

/** The help in a language, which must exist. */
function pageOf(language: string): string {
  return language === "en" ? "docs/board.md" : `docs/board.${language}.md`;
}

/** The texts of the board in a language, as they are in its file. */
function wordsOf(language: string): string {
  return read(`apps/web/src/language/words/${language}.ts`);
}

/** Whether the board shows a text, in which `${…}` of its words stands for any text. */
function isShown(text: string, words: string): boolean {
  const texts = [...words.matchAll(/"([^"\n]+)"|`([^`\n]*)`/g)].map(([, plain, template = ""]) =>
    plain === undefined ? template.split(/\$\{[^}]*\}/) : [plain],
  );
  return texts.some(([first = "", ...others]) => {
    const last = others.at(-1);
    // A template without words of its own would match anything.
    if (last !== undefined)
      return (first + last).length > 2 && text.startsWith(first) && text.endsWith(last);
    return text === first;
  });
}

/** What is in bold, also over the end of a line. */
function labelsIn(text: string): string[] {
  return [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = ""]) =>
    label.replaceAll(/\s+/g, " "),
  );
}

describe.each(languages)("the help in the language %s", (language) => {
  test("the file of its words is named after it", () => {
    expect(wordsOf(language)).toContain(`language: { tag: "${language}", `);
  });

  test("the board has every text that is in bold in it", () => {
    const quoted = labelsIn(read(pageOf(language)));
    expect(quoted.length).toBeGreaterThan(25);
    expect(quoted.filter((text) => !isShown(text, wordsOf(language)))).toEqual([]);
  });

  test("it explains every problem that the board reports", () => {
    const problems = [...wordsOf(language).matchAll(/\bwhat: "(.+?)"/g)].map(
      ([, what = ""]) => what,
    );
    expect(problems.length).toBeGreaterThan(5);
    expect(problems.filter((what) => !read(pageOf(language)).includes(`| **${what}** `))).toEqual(
      [],
    );
  });
});

test("docs/board.md has the limits of the board", () => {
  const page = read("docs/board.md");
  expect(page).toContain(`A name has at most ${maxNameLength} characters`);
  const [, rows = ""] = /maxRows = ([\d_]+)/.exec(read("apps/web/src/add/plan.ts")) ?? [];
  expect(page).toContain(
    `${Number(rows.replaceAll("_", "")).toLocaleString("en")} animals are sent with one press`,
  );
  const [, animals = ""] =
    /maxAnimals = ([\d_]+)/.exec(read("apps/web/src/catalogue/catalogue.ts")) ?? [];
  expect(page).toContain(
    `The board loads at most ${Number(animals.replaceAll("_", "")).toLocaleString("en")} animals`,
  );
});

describe.each(languages.filter((language) => language !== "en"))(
  "the help in %s, beside the English one",
  (language) => {
    test("it has the same headings, paragraphs, lists and tables, with as many labels in bold and the same numbers", () => {
      const [english, translated] = ["en", language].map((each) => sectionsOf(read(pageOf(each))));
      expect(translated).toEqual(english);
    });

    test("it has the same addresses in its tables", () => {
      const [english, translated] = ["en", language].map((each) =>
        read(pageOf(each)).match(/^\| `[^`]+`/gm),
      );
      expect(translated?.length).toBeGreaterThan(4);
      expect(translated).toEqual(english);
    });
  },
);

/**
 * What a page has below each heading of the second level, without its language. The first part is
 * above all of them.
 */
function sectionsOf(page: string): string[][] {
  const sections: string[][] = [[]];
  for (const block of lexer(page)) {
    if (block.type === "heading" && block["depth"] === 2) sections.push([]);
    if (block.type !== "space") sections.at(-1)?.push(outlineOf(block));
  }
  return sections;
}

/** `table of 5 rows, 6 labels, numbers 1 2`. */
function outlineOf(block: Token): string {
  // Languages separate digits with commas or dots. The key Home is Pos1 in German.
  const numbers =
    block.raw.match(/(?<![\p{L}\d])\d[\d.,]*/gu)?.map((number) => number.replaceAll(/[.,]/g, "")) ??
    [];
  return `${shapeOf(block)}, ${labelsIn(block.raw).length} labels, numbers ${numbers.toSorted().join(" ")}`;
}

function shapeOf(block: Token): string {
  if (block.type === "heading") return `heading ${block["depth"]}`;
  if (block.type === "table") return `table of ${(block as Tokens.Table).rows.length} rows`;
  if (block.type === "list") return `list of ${(block as Tokens.List).items.length} items`;
  return block.type;
}
