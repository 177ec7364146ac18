import { read } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { cellsOf, names } from "../support/proxy-facts.ts";

/** The rows of the table that begin with a link to a configuration. */
const rows = [...read("docs/proxies.md").matchAll(/^\| (\[.*\]\(#.*\S) +\|$/gm)].map(
  ([, cells = ""]) => cells.split(/ *\| /),
);

test("the table of docs/proxies.md says of each proxy what proxies.proof.test.ts expects of it", () => {
  expect(rows).toEqual(names.map(cellsOf));
});
