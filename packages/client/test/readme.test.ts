import { execFile } from "node:child_process";
import { mkdirSync, mkdtempDisposableSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startServer } from "@petstore/server/start-server";
import { afterAll, describe, expect, test } from "vitest";

const clientDirectory = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

const importLine = /^import .*$/m.exec(readme)?.[0] ?? "";
const clientLine = /^const client = .*$/m.exec(readme)?.[0] ?? "";

/** A project that has the client installed, outside of the repository. */
const project = mkdtempDisposableSync(join(tmpdir(), "petstore-readme-"));
afterAll(() => project.remove());
mkdirSync(join(project.path, "node_modules/@petstore"), { recursive: true });
writeFileSync(join(project.path, "package.json"), JSON.stringify({ type: "module" }));
symlinkSync(clientDirectory, join(project.path, "node_modules/@petstore/client"));
symlinkSync(join(clientDirectory, "node_modules/@types"), join(project.path, "node_modules/@types"));

const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(({ index, 1: code = "" }) => {
  const line = readme.slice(0, index).split("\n").length + 1;
  const file = join(project.path, `line-${line}.ts`);
  writeFileSync(file, complete(code));
  const output = [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, expected]) => `${expected}\n`).join("");
  return { line, file, output };
});

test("only blocks of TypeScript, text, and the command that installs it: nothing is left unchecked", () => {
  const languages = [...readme.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
  expect(new Set(languages)).toStrictEqual(new Set(["sh", "ts", "text"]));
  expect(readme.match(/^```sh\n.*?^```$/gms)).toStrictEqual(["```sh\nnpm install @petstore/client\n```"]);
});

test("every block of TypeScript is free of type errors", async () => {
  const configuration = {
    extends: join(clientDirectory, "test/tsconfig.json"),
    include: ["*.ts"],
  };
  writeFileSync(join(project.path, "tsconfig.json"), JSON.stringify(configuration));
  const compiler = join(clientDirectory, "node_modules/.bin/tsc");
  const problems = await promisify(execFile)(compiler, ["-p", project.path]).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; message: string }) => error.stdout || error.message,
  );
  expect(problems).toBe("");
});

describe.each(blocks)("the block in line $line", ({ file, output }) => {
  test("prints what its comments say", async () => {
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

/** As the README says, its examples go on from the lines of the quick start. */
function complete(code: string): string {
  const goesOn = /\bclient\./.test(code) && !/^const client\b/m.test(code);
  const imports =
    (goesOn || code.includes("createPetstoreClient(")) && !/^import .*\bcreatePetstoreClient\b/m.test(code);
  return [imports ? importLine : "", goesOn ? clientLine : "", code].join("\n");
}
