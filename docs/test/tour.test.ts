import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { startServer } from "@petstore/server/start-server";
import { read, root } from "@petstore/test-kit/checkout";
import { expectNoProblems } from "@petstore/test-kit/problems";
import { temporaryDirectory } from "@petstore/test-kit/processes";
import { expect, test } from "vitest";
import { blocksOf } from "./pages.ts";

const blocks = blocksOf("README.md").filter(({ language }) => language === "ts");

/** Lines of the source, after a comment that names the file. `// …` stands for omitted lines. */
const excerpts = blocks.flatMap(({ code }) => {
  const [, file, lines = ""] = /^\/\/ (\S+\.ts)\n([^]*)$/.exec(code) ?? [];
  return file === undefined ? [] : [{ file, parts: lines.split(/^ *\/\/ …\n/m).map(withoutIndent) }];
});

const programs = blocks.filter(({ code }) => code.startsWith("import "));

function withoutIndent(text: string): string {
  return text.trim().replaceAll(/^ +/gm, "");
}

test("the TypeScript of README.md is either the source or a program", () => {
  expect(excerpts.map(({ file }) => file)).toEqual([
    "packages/contract/src/operations.ts",
    "packages/service/src/operations.ts",
    "packages/client/src/client.ts",
    "apps/cli/src/commands/pets.ts",
  ]);
  expect(excerpts.length + programs.length).toBe(blocks.length);
});

test.each(excerpts)("README.md shows $file as it is", ({ file, parts }) => {
  const source = withoutIndent(read(file));
  let end = 0;
  for (const part of parts) {
    const start = source.indexOf(part, end);
    const problem = `README.md: the block \`${file}\` is out of date: copy it from ${file}`;
    expectNoProblems(start < 0 ? [problem] : []);
    end = start + part.length;
  }
});

test("the program of README.md compiles, adds an animal and lists it", async () => {
  using directory = temporaryDirectory();
  await using server = await startServer();
  const client = join(root, "packages/client");
  mkdirSync(join(directory.path, "node_modules/@petstore"), { recursive: true });
  symlinkSync(client, join(directory.path, "node_modules/@petstore/client"));
  symlinkSync(join(client, "node_modules/@types"), join(directory.path, "node_modules/@types"));
  const [program] = programs;
  const code = program?.code.replace("http://127.0.0.1:8080/v1", server.url).replace("pst_test_…", server.apiKey) ?? "";
  writeFileSync(join(directory.path, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(directory.path, "program.ts"), code);
  writeFileSync(
    join(directory.path, "tsconfig.json"),
    JSON.stringify({ extends: join(client, "test/tsconfig.json"), include: ["*.ts"] }),
  );

  const compiler = join(root, "docs/node_modules/.bin/tsc");
  const { stdout: problems } = await promisify(execFile)(compiler, ["-p", directory.path]).catch(
    (error: { stdout: string }) => error,
  );
  expect(problems).toBe("");
  const run = await promisify(execFile)(process.execPath, ["program.ts"], { cwd: directory.path });
  expect(run).toEqual({ stdout: "1 available\nRex\n", stderr: "" });
  expect(programs).toHaveLength(1);
});
