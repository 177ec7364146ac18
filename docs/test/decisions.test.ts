import { join } from "node:path";
import { read, root } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { readDecision, readDecisions, topics } from "../scripts/decisions.ts";

const directory = "docs/decisions";
function textOf(file: string): string {
  return read(`${directory}/${file}`);
}

/** A page with a wrong head fails all tests here, with its name. */
const decisions = readDecisions(join(root, directory));

test.each(decisions)("$file says why", ({ file }) => {
  expect(textOf(file)).toContain("\n- **Why:** ");
});

test.each(decisions)("$file has parts that other pages have, in their order", ({ file }) => {
  const parts = [...textOf(file).matchAll(/^- \*\*(.+?):\*\* /gm)].slice(3);
  const known = ["Why", "Cost", "Replaced", "Deleted with it", "Reversed"];
  const found = parts.map(([, part = ""]) => part);
  expect(found).toEqual(known.filter((part) => found.includes(part)));
});

test.each(decisions.flatMap(({ file, replacedBy }) => (replacedBy ? [{ file, replacedBy }] : [])))(
  "the decision that replaced $file is there, has that title, and names what it replaced",
  ({ file, replacedBy }) => {
    const { title } = readDecision(replacedBy.file, textOf(replacedBy.file));
    expect(replacedBy.title).toBe(title);
    expect(textOf(replacedBy.file)).toContain(`](${file})`);
  },
);

test.each(decisions.filter(({ status }) => status === "reversed"))(
  "$file says what came back",
  ({ file }) => {
    expect(textOf(file)).toContain("\n- **Reversed:** ");
  },
);

test.each(decisions)("the contents have $file once, with its date and status", (decision) => {
  const rows = read(`${directory}/README.md`)
    .split("\n")
    .filter((line) => line.includes(`](${decision.file})`));
  expect(rows.map((row) => row.split("|").map((cell) => cell.trim()))).toEqual([
    ["", `[${decision.title}](${decision.file})`, decision.date, decision.status, ""],
  ]);
});

test.each(topics)("there is a decision about %s", (topic) => {
  expect(decisions.map((decision) => decision.topic)).toContain(topic);
});

/** A page with this head. */
function page({
  title = "# It is so",
  date = "2026-11-28",
  status = "accepted",
  topic = "[Storage](README.md#storage)",
}): string {
  return `${title}\n\n- **Date:** ${date}\n- **Status:** ${status}\n- **Topic:** ${topic}\n\nText.\n`;
}

test("a decision may be replaced by another one", () => {
  const status = "replaced on 2026-11-29 by [It is not so](2026-11-29-not.md)";
  expect(readDecision("2026-11-28-so.md", page({ status }))).toEqual({
    file: "2026-11-28-so.md",
    title: "It is so",
    date: "2026-11-28",
    topic: "Storage",
    status: "replaced",
    replacedBy: { file: "2026-11-29-not.md", title: "It is not so" },
  });
});

test.each([
  ["title", { title: "It is so" }, "must begin with a title"],
  ["date", { date: "28.11.2026" }, "the date must be a day like 2026-11-28, not 28.11.2026"],
  ["date", { date: "2026-11-31" }, "the date must be a day like 2026-11-28, not 2026-11-31"],
  ["date", { date: "2026-11-27" }, "the name must begin with 2026-11-27"],
  ["status", { status: "proposed" }, "the status must be accepted"],
  ["status", { status: "reversed" }, "the status must be accepted"],
  ["status", { status: "reversed on Friday" }, "the status must be accepted"],
  ["status", { status: "replaced on 2026-11-29" }, "the status must be accepted"],
  ["topic", { topic: "Storage" }, "Storage must be a link like [The API](README.md#the-api)"],
  ["topic", { topic: "[Sheets](README.md#sheets)" }, "must be a link like [The API]"],
])("a page with the wrong %s %o is rejected", (_part, head, message) => {
  expect(() => readDecision("2026-11-28-so.md", page(head))).toThrow(
    expect.objectContaining({ message: expect.stringContaining(message) as string }),
  );
});
