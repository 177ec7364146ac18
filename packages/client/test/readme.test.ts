import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createProject, runNode, typeErrors } from "./processes.ts";
import { startFakeServer } from "./scripted-server.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
/** The pages whose blocks continue the program of the quick start. */
const pages = ["README.md", "docs/int64.md"];

/** The program of the quick start, and what it prints. */
const [, quickStart = ""] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? [];

const project = createProject("@types", "undici");
afterAll(() => project.remove());

const blocks = pages.flatMap((page) => {
  const text = readFileSync(new URL(`../${page}`, import.meta.url), "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(({ index, 1: code = "" }) => {
    const line = text.slice(0, index).split("\n").length + 1;
    const file = join(project.path, `${page.replace(/\W/g, "-")}-${line}.ts`);
    writeFileSync(file, complete(code));
    return { page, line, file, output: outputOf(complete(code)) };
  });
});

test("the only blocks are TypeScript, text and the install command, so every example is checked", () => {
  const languages = [...readme.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
  expect(new Set(languages)).toStrictEqual(new Set(["sh", "ts", "text"]));
  expect(readme.match(/^```sh\n.*?^```$/gms)).toStrictEqual(["```sh\nnpm install @petstore/client\n```"]);
});

test("the TypeScript blocks have no type errors", async () => {
  expect(await typeErrors(project.path, "*.ts")).toBe("");
});

test.each(blocks)("prints the output in its comments: $page, line $line", async ({ file, output }) => {
  await using server = await startFakeServer();
  expect(await runNode([file], server.environment)).toStrictEqual({ exitCode: 0, stdout: output, stderr: "" });
});

/** A program with a block: those without a client of their own continue the quick start. */
function complete(code: string): string {
  return /^const client\b/m.test(code) || !/\bclient\b|\bcreatePetstoreClient\b/.test(code)
    ? code
    : `${quickStart}\n${code}`;
}

function outputOf(program: string): string {
  return [...program.matchAll(/\/\/ → (.*)$/gm)].map(([, expected]) => `${expected}\n`).join("");
}
