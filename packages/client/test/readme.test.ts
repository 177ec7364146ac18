import { execFile } from "node:child_process";
import { mkdirSync, mkdtempDisposableSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startServer } from "@petstore/server/start-server";
import { afterAll, describe, expect, test } from "vitest";
import { typeErrors } from "./type-errors.ts";

const clientDirectory = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
/** The pages whose blocks continue the program of the quick start. */
const pages = ["README.md", "docs/int64.md"];

const importLine = /^import .*$/m.exec(readme)?.[0] ?? "";
const clientLine = /^const client = .*$/m.exec(readme)?.[0] ?? "";

/** A project outside of the repository, with the client installed. */
const project = mkdtempDisposableSync(join(tmpdir(), "petstore-readme-"));
afterAll(() => project.remove());
mkdirSync(join(project.path, "node_modules/@petstore"), { recursive: true });
writeFileSync(join(project.path, "package.json"), JSON.stringify({ type: "module" }));
symlinkSync(clientDirectory, join(project.path, "node_modules/@petstore/client"));
for (const name of ["@types", "undici"])
  symlinkSync(join(clientDirectory, "node_modules", name), join(project.path, "node_modules", name));

const blocks = pages.flatMap((page) => {
  const text = readFileSync(new URL(`../${page}`, import.meta.url), "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(({ index, 1: code = "" }) => {
    const line = text.slice(0, index).split("\n").length + 1;
    const file = join(project.path, `${page.replace(/\W/g, "-")}-${line}.ts`);
    writeFileSync(file, complete(code));
    const output = [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, expected]) => `${expected}\n`).join("");
    return { page, line, file, output };
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

describe.each(blocks)("the block of $page in line $line", ({ file, output }) => {
  test("prints the output in its comments", async () => {
    await using server = await startServer();
    for (const [name, status] of [
      ["Rex", "available"],
      ["Tom", "pending"],
      ["Kim", "sold"],
    ]) {
      await server.call("/pets", { body: { name, categoryId: 1, status } });
    }
    const environment = { PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: server.apiKey };
    const run = await promisify(execFile)(process.execPath, [file], { env: environment });
    expect(run).toStrictEqual({ stdout: output, stderr: "" });
  });
});

/** The examples continue the program of the quick start. */
function complete(code: string): string {
  const continues = /\bclient\b\s*\./.test(code) && !/^const client\b/m.test(code);
  const imports =
    (continues || code.includes("createPetstoreClient(")) && !/^import .*\bcreatePetstoreClient\b/m.test(code);
  return [imports ? importLine : "", continues ? clientLine : "", code].join("\n");
}
