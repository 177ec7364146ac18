import { read } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { blocksOf } from "./pages.ts";

/** Lines of the source, after a comment that names the file. `// …` stands for the lines in between. */
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
  let rest = withoutIndent(read(file));
  for (const part of parts) {
    expect(rest).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
});
