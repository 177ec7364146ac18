import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { read, root } from "./site.ts";

const page = read("reference/cli.md");

const commands = [
  "petstore",
  "petstore pets",
  "petstore pets list",
  "petstore pets import",
  "petstore auth login",
];

test.each(commands)("the page has what %s --help prints", (command) => {
  const [, ...words] = command.split(" ");
  const args = [join(root, "apps/cli/src/main.ts"), ...words, "--help"];
  const environment = { PATH: process.env["PATH"], NO_COLOR: "1" };
  const printed = execFileSync(process.execPath, args, { env: environment, encoding: "utf8" });
  expect(page).toContain(`## ${command}\n\n\`\`\`text\n${printed.trim()}\n`);
});
