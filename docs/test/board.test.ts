import { maxNameLength } from "@petstore/contract";
import { read } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";

const page = read("docs/board.md");
const words = read("apps/web/src/shared/words/en.ts");

/** Every text of the board. `${…}` stands for any text. */
const texts = [...words.matchAll(/"([^"\n]+)"|`([^`\n]*)`/g)].map(([, plain, template = ""]) =>
  plain === undefined ? template.split(/\$\{[^}]*\}/) : [plain],
);

/** Whether the board shows a text. */
function isShown(text: string): boolean {
  return texts.some(([first = "", ...others]) => {
    const last = others.at(-1);
    // A template without words of its own would match anything.
    if (last !== undefined) return (first + last).length > 2 && text.startsWith(first) && text.endsWith(last);
    return text === first;
  });
}

test("the board has every text that is in bold in docs/board.md", () => {
  const quoted = [...page.matchAll(/\*\*(.+?)\*\*/g)].map(([, text = ""]) => text);
  expect(quoted.length).toBeGreaterThan(25);
  expect(quoted.filter((text) => !isShown(text))).toEqual([]);
});

test("docs/board.md explains every problem that the board reports", () => {
  const problems = [...words.matchAll(/\bwhat: "(.+?)"/g)].map(([, what = ""]) => what);
  expect(problems.length).toBeGreaterThan(5);
  expect(problems.filter((what) => !page.includes(`| **${what}** `))).toEqual([]);
});

test("docs/board.md has the limits of the board", () => {
  expect(page).toContain(`A name has at most ${maxNameLength} characters`);
  const [, rows = ""] = /maxRows = ([\d_]+)/.exec(read("apps/web/src/batch/plan.ts")) ?? [];
  expect(page).toContain(`${Number(rows.replaceAll("_", "")).toLocaleString("en")} animals are sent with one press`);
  const [, animals = ""] = /maxAnimals = ([\d_]+)/.exec(read("apps/web/src/list/catalogue.ts")) ?? [];
  expect(page).toContain(`The board loads at most ${Number(animals.replaceAll("_", "")).toLocaleString("en")} animals`);
});
