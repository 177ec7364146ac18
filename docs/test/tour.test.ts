import { read } from "@petstore/test-kit/checkout";
import { expectNoProblems } from "@petstore/test-kit/problems";
import { expect, test } from "vitest";
import { blocksOf } from "./pages.ts";

/** Lines of the source, after a comment that names the file. `// …` stands for omitted lines. */
const excerpts = blocksOf("docs/architecture.md")
  .filter(({ language }) => language === "ts")
  .map(({ code }) => {
    const [, file = "", lines = ""] = /^\/\/ (\S+\.ts)\n([^]*)$/.exec(code) ?? [];
    return { file, parts: lines.split(/^ *\/\/ …\n/m).map(withoutIndent) };
  });

function withoutIndent(text: string): string {
  return text.trim().replaceAll(/^ +/gm, "");
}

test("the TypeScript of docs/architecture.md is the source, from the contract to the command line", () => {
  expect(excerpts.map(({ file }) => file)).toEqual([
    "packages/contract/src/operations.ts",
    "packages/service/src/operations.ts",
    "packages/client/src/client.ts",
    "apps/cli/src/commands/pets.ts",
  ]);
});

test.each(excerpts)("docs/architecture.md shows $file as it is", ({ file, parts }) => {
  const source = withoutIndent(read(file));
  let end = 0;
  for (const part of parts) {
    const start = source.indexOf(part, end);
    const problem = `docs/architecture.md: the block \`${file}\` is out of date: copy it from ${file}`;
    expectNoProblems(start < 0 ? [problem] : []);
    end = start + part.length;
  }
});
