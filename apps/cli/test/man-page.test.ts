import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { manual } from "../scripts/commands-table.ts";
import { manPage } from "../scripts/man-page.ts";
import { binary } from "./binary.ts";

const file = join(dirname(binary), "petstore.1");
const hasGroff = spawnSync("groff", ["--version"]).status === 0;

test("the build has the manual page of this source", () => {
  expect(readFileSync(file, "utf8")).toBe(manPage());
});

test("every line of the manual page is text or a known request", () => {
  const known = /^(?:\.(?:TH|SH|SS|TP|PP|RS|RE|EX|EE|B)\b|[^.'])/;
  expect(
    manPage()
      .split("\n")
      .filter((line) => line !== "" && !known.test(line)),
  ).toEqual([]);
  // A dash that is not escaped could become a hyphen, which a shell does not understand when copied.
  expect(manPage().match(/(?<!\\)-/g)).toBeNull();
});

test("the manual page has every command of the manual", () => {
  const [table = ""] = /<!-- commands -->.*<!-- \/commands -->/s.exec(readFileSync(manual, "utf8")) ?? [];
  const commands = table.matchAll(/^\| `((?:[a-z]+ )*[a-z]+)[ `]/gm);
  const sections = manPage()
    .replaceAll(String.raw`\-`, "-")
    .match(/(?<=^\.SS "petstore )(?:[a-z]+ )*[a-z]+/gm);
  expect(sections).toEqual(Array.from(commands, ([, name]) => name));
});

test.runIf(hasGroff)("groff formats the manual page without warnings", () => {
  const { stdout, stderr } = spawnSync("groff", ["-man", "-Tutf8", "-ww", file], { encoding: "utf8" });
  expect(stderr).toBe("");
  // Bold letters may be printed twice, with a backspace between them.
  const plain = stripVTControlCharacters(stdout.replaceAll(new RegExp(".\b", "g"), ""));
  expect(plain).not.toContain("display help for command");
  for (const text of ["petstore pets list [flags]", "--status <status>", "PETSTORE_BASE_URL", "130"])
    expect(plain).toContain(text);
});
