import { execFileSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";
import { expectNoProblems } from "@petstore/test-kit/problems";
import { expect, test } from "vitest";
import { blocksOf, isTyped, pages, type Block } from "./pages.ts";

const blocks = pages.flatMap(blocksOf);

/**
 * Blocks that tests of other workspaces check, by page: the language and the beginning of the block, the workspace, and text that a
 * test there has too: a part of the block, or the name of the page that the test reads.
 */
const checkedElsewhere: Readonly<Record<string, readonly [block: string, workspace: string, shared: string][]>> = {
  "docs/deployment.md": [
    // The tests do not start Docker or systemd. They check the files for them. servers.test.ts runs the commands inside.
    ["sh: docker build", "apps/server", "deploy/Dockerfile"],
    ["sh: (umask 077", "apps/server", "deploy/.env"],
    ["sh: install -D -t ", "apps/server", "install -"],
    ["sh: systemd-run", "apps/server", "petstore.secret"],
    ["sh: install -m 644 -t /etc/systemd/system deploy/petstore@", "apps/server", "petstore@.service"],
    ["sh: install -m 644 -t /etc/systemd/system deploy/petstore-backup", "apps/server", "petstore-backup.service"],
    ["sh: install -D -m 644 -t /etc/petstore deploy/litestream.yml", "apps/server", "deploy/litestream.yml"],
    ["sh: systemctl stop petstore petstore-litestream", "apps/server", "/opt/petstore/litestream"],
    ["sh: install -D -t /opt/petstore apps/cli/dist", "apps/server", "apps/cli/dist/petstore.cjs"],
    ["sh: for port in", "apps/server", "/readyz"],
    ["ini: [pgbouncer]", "apps/server", "pool_mode = transaction"],
  ],
  "docs/performance.md": [["sh: npx pnpm@12 bench", "bench", "docs/performance.md"]],
  "docs/postgresql-backup.md": [["", "apps/server", "docs/postgresql-backup.md"]],
  "docs/server.md": [["sh: petstore-server audit", "apps/server", "docs/server.md"]],
  "packages/client/README.md": [["", "packages/client", "README.md"]],
  "packages/client/docs/int64.md": [["ts: ", "packages/client", "docs/int64.md"]],
  "packages/client/docs/recipes.md": [["", "packages/client", "docs/recipes.md"]],
  "apps/cli/README.md": [
    ["sh: npx pnpm@12 install", "apps/cli", "@petstore/cli"],
    ["sh: petstore pets import animals.xlsx", "apps/cli", "petstore pets import animals.xlsx"],
  ],
};

/** Blocks that tests here read, by page and by beginning or language. */
const readHere = testsIn("docs").flatMap((text) => [
  ...text.matchAll(/\b(blockOf|blocksIn)\(\s*"([^"]+)",\s*"((?:[^"\\]|\\.)+)"/g),
]);

function testsIn(workspace: string): string[] {
  return globSync(`${workspace}/test/**/*.test.ts`, { cwd: root }).map(read);
}

function isReadHere({ page, language, code }: Block): boolean {
  return readHere.some(
    ([, by, file, text = ""]) =>
      file === page && (by === "blocksIn" ? language === text : code.startsWith(JSON.parse(`"${text}"`) as string)),
  );
}

function nameOf({ page, code }: Block): string {
  return `${page}: the block \`${code.split("\n")[0]}\``;
}

test("every block of code is checked by a test", () => {
  expect(blocks.length).toBeGreaterThan(50);
  const unchecked = blocks.filter((block) => {
    const others = checkedElsewhere[block.page] ?? [];
    const isElsewhere = others.some(([beginning]) => `${block.language}: ${block.code}`.startsWith(beginning));
    return !isElsewhere && !isTyped(block) && !isReadHere(block);
  });
  expectNoProblems(unchecked.map((block) => `${nameOf(block)} is checked by no test: see docs/test/blocks.test.ts`));
});

test.each(Object.entries(checkedElsewhere))("other workspaces check what %s shows", (page, rows) => {
  const problems = rows.flatMap(([beginning, workspace, shared]) => {
    const found = blocksOf(page).filter(({ language, code }) => `${language}: ${code}`.startsWith(beginning));
    if (found.length === 0) return [`${page}: no block begins with \`${beginning}\`: update docs/test/blocks.test.ts`];
    if (!testsIn(workspace).some((text) => text.includes(shared)))
      return [`No test of ${workspace} has \`${shared}\`: update the block of ${page} that it tested`];
    const changed = found.filter(({ code }) => !page.endsWith(shared) && !code.includes(shared));
    return changed.map((block) => `${nameOf(block)} no longer has \`${shared}\`, which a test of ${workspace} checks`);
  });
  expectNoProblems(problems);
});

test("every block names its language, and a shell can read those of `sh`", () => {
  expectNoProblems(blocks.filter(({ language }) => language === "").map((block) => `${nameOf(block)}: no language`));
  for (const { code } of blocks.filter(({ language }) => language === "sh")) {
    expect(execFileSync("sh", ["-n"], { input: code, encoding: "utf8" })).toBe("");
  }
});

test("every file of the checkout that a command of docs/deployment.md names exists", () => {
  const code = blocksOf("docs/deployment.md").map((block) => block.code);
  // The page makes deploy/.env, and git ignores it.
  const files = code.flatMap((text) => text.match(/(?<![\w/.-])deploy\/(?!\.env)[\w./@-]+/g) ?? []);
  expect(files).toContain("deploy/petstore.service");
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
