import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { install, pack } from "@petstore/test-kit/package";
import { installed } from "@petstore/test-kit/programs";
import { serve, start, temporaryDirectory } from "@petstore/test-servers/processes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blockOf, blocksIn, blocksOf, pages, type Block } from "./markdown-pages.ts";
import { isExcerpt, isInFile, isProgram, programOf } from "./programs.ts";
import { extensions, isReadable, readers } from "./readers.ts";
import { problemsOf } from "./session.ts";
import { isInSession, stepsOf, type Step } from "./steps.ts";

/** Every block that no page marks is in a session, or one of the others. */
const blocks = pages.flatMap(blocksOf).filter(({ notRun }) => notRun === undefined);

/** A project with the packed client, and the other packages that the programs use. */
const temporary = temporaryDirectory();
const modules = join(temporary.path, "project/node_modules");
afterAll(() => temporary[Symbol.dispose]());
beforeAll(async () => {
  await install(await pack("packages/client", temporary.path), join(modules, ".."));
  for (const name of ["@types", "express", "undici"])
    symlinkSync(join(root, "packages/client/node_modules", name), join(modules, name));
});

test("every block names its language", () => {
  const unnamed = pages.flatMap(blocksOf).filter(({ language }) => language === "");
  expect(unnamed).toEqual([]);
});

/** Programs that some pages use and this machine does not have. */
const missing = (["curl", "jq"] as const).filter((program) => installed(program).length === 0);
const inSession = blocks.filter(isInSession);
const sessions = [...new Set(inSession.map(({ page }) => page))].filter(
  (page) =>
    !inSession.some(
      (block) => block.page === page && missing.some((program) => block.code.includes(program)),
    ),
);

test.each(sessions)("0: the commands and programs of %s print the shown output", async (page) => {
  expect(await problemsOf(page, stepsOf(blocksOf(page)), { modules })).toEqual([]);
});

/** Each page begins there. */
const inCheckout: Step = { command: "cd ../checkout", output: undefined, mayFail: false };

/** A newcomer follows one after the other, with the same development server and its data. */
test.each([
  ["README.md", "docs/tutorial.md"],
  ["docs/tutorial.md", "README.md"],
])(
  "0: on one server, the commands and programs of %s, and then those of %s, print the shown output",
  async (...both) => {
    const steps = both.flatMap((page) => [inCheckout, ...stepsOf(blocksOf(page))]);
    expect(steps.length).toBeGreaterThan(20);
    expect(await problemsOf(both.join(" and "), steps, { modules })).toEqual([]);
  },
);

test("0: the program of README.md reserves Rex, and lists the other animals", async () => {
  using home = temporaryDirectory();
  await using server = await serve(home.path, {
    args: ["--dev"],
    environment: { PETSTORE_PORT: "0" },
  });
  const key = /pst_test_\w+/.exec(server.stdout())?.[0] ?? "";
  const code = blockOf("README.md", "import { createPetstoreClient }");
  symlinkSync(modules, join(home.path, "node_modules"));
  writeFileSync(
    join(home.path, "rex.mjs"),
    code.replace("http://127.0.0.1:8080/v1", server.url).replace("pst_test_…", key),
  );
  const ended = await start(process.execPath, ["rex.mjs"], { directory: home.path }).ended;
  expect(ended).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^21 pending\nBella\n(?:(?!Rex).+\n)+$/),
    stderr: "",
  });
});

test.each(Object.keys(extensions))("docs/api.md has one program in %s", (language) => {
  expect(blocksIn("docs/api.md", language)).toHaveLength(1);
});

test("0: the programs of all pages have no type errors", async () => {
  const directory = join(modules, "../programs");
  mkdirSync(directory);
  const programs = blocks.filter(isProgram).map(programOf);
  for (const { file, code } of programs) writeFileSync(join(directory, file), code);
  const settings = {
    extends: join(root, "packages/client/test/tsconfig.json"),
    include: ["*.mts"],
  };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(settings));
  const compiler = start(join(root, "docs/node_modules/.bin/tsc"), ["-p", directory], {
    directory,
    environment: { PATH: process.env["PATH"] ?? "" },
  });
  expect(await compiler.ended).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
});

/** A block, and its first line, for the name of a test. */
function named(block: Block): Block & { first: string } {
  return { ...block, first: block.code.split("\n")[0] ?? "" };
}

test.each(blocks.filter(isExcerpt).map(named))(
  "the lines of $page are those of $first",
  (block) => {
    expect(isInFile(block)).toBe(true);
  },
);

const others = blocks.filter((block) => !isInSession(block) && !isExcerpt(block));

test.each(others.filter(isReadable).map(named))(
  "the $language of $page that begins with $first is right",
  async (block) => {
    const read = readers[block.language];
    expect(
      read,
      `no test runs ${block.language}: mark it <!-- not run: REASON -->, or add a reader`,
    ).toBeDefined();
    await read?.(block);
  },
);
