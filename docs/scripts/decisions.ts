import { globSync, readFileSync } from "node:fs";

/** The parts of the contents, in their order. */
export const topics = [
  "The API",
  "Storage",
  "The server",
  "The client",
  "The command line",
  "The board",
  "The repository",
] as const;

/** What the head of a page of docs/decisions says. */
export interface Decision {
  /** The name of the page. It begins with the date. */
  file: string;
  title: string;
  /** The day of the commit that made the decision, like `2026-11-28`. */
  date: string;
  status: "accepted" | "replaced" | "reversed";
  topic: (typeof topics)[number];
  /** The page of the decision that took its place, and how the status calls it. */
  replacedBy?: { file: string; title: string } | undefined;
}

/** @throws {Error} if the head is not like that of the others */
export function readDecision(file: string, text: string): Decision {
  const head =
    /^# (\S.*)\n\n- \*\*Date:\*\* (.+)\n- \*\*Status:\*\* (.+)\n- \*\*Topic:\*\* (.+)\n\n/;
  const [, title, date = "", status = "", topicLink] = head.exec(text) ?? [];
  if (title === undefined)
    throw new Error(`${file} must begin with a title, **Date:**, **Status:** and **Topic:**`);
  if (!isDay(date)) throw new Error(`${file}: the date must be a day like 2026-11-28, not ${date}`);
  if (!file.startsWith(`${date}-`)) throw new Error(`${file}: the name must begin with ${date}`);
  const topic = topics.find((name) => topicLink === `[${name}](README.md#${anchorOf(name)})`);
  if (topic === undefined)
    throw new Error(`${file}: ${topicLink} must be a link like [The API](README.md#the-api)`);
  return { file, title, date, topic, ...readStatus(file, status) };
}

function readStatus(file: string, status: string): Pick<Decision, "status" | "replacedBy"> {
  if (status === "accepted") return { status };
  const pattern = /^(?:reversed on (\S+)|replaced on (\S+) by \[(.+)\]\((\S+)\))$/;
  const [, reversed, replaced, title = "", by = ""] = pattern.exec(status) ?? [];
  if (!isDay(reversed ?? replaced ?? ""))
    throw new Error(
      `${file}: the status must be accepted, "reversed on DAY" or "replaced on DAY by [TITLE](PAGE)"`,
    );
  return reversed === undefined
    ? { status: "replaced", replacedBy: { file: by, title } }
    : { status: "reversed" };
}

/** Whether a text is a day in ISO form. */
function isDay(text: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
}

function anchorOf(topic: string): string {
  return topic.toLowerCase().replaceAll(" ", "-");
}

/** Every decision of a directory, oldest first. */
export function readDecisions(directory: string): Decision[] {
  const files = globSync("*.md", { cwd: directory, exclude: ["README.md"] });
  return files
    .toSorted()
    .map((file) => readDecision(file, readFileSync(`${directory}/${file}`, "utf8")));
}

/** The page with the contents between its marks: a table for each topic, newest first. */
export function withContents(page: string, decisions: readonly Decision[]): string {
  const parts = topics.map((topic) => {
    const rows = decisions
      .filter((each) => each.topic === topic)
      .toReversed()
      .map(({ title, file, date, status }) => [`[${title}](${file})`, date, status]);
    return `## ${topic}\n\n${table([["Decision", "Date", "Status"], ...rows])}`;
  });
  return page.replace(
    /(?<=<!-- decisions -->\n).*(?=<!-- \/decisions -->)/s,
    () => `\n${parts.join("\n\n")}\n\n`,
  );
}

/** With columns of one width, as the formatter has them. */
function table([first = [], ...rows]: readonly string[][]): string {
  const widths = first.map((_, column) =>
    Math.max(...[first, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = widths.map((width) => "-".repeat(width));
  return [first, line, ...rows]
    .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`)
    .join("\n");
}
