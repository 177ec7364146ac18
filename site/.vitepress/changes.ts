import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./contents.ts";

/**
 * What users notice in each release: the page is made of the changelogs, and before them of the
 * notes for the next release.
 */

/** The packages with a changelog, and their names on the page. */
const packages = {
  "packages/client": { name: "@petstore/client", heading: "The client" },
  "apps/cli": { name: "@petstore/cli", heading: "The command line" },
};

/** A file by its path from a checkout, or an empty text if there is none. */
type Reader = (path: string) => string;

/**
 * The text of the page.
 * @param notes the files of `.changeset/`, without its README
 * @param changelogOf the changelog of a workspace; empty before its first release
 */
export function changesPage(notes: readonly string[], changelogOf: Reader): string {
  const next = Object.values(packages).flatMap(({ name, heading }) => {
    const texts = notes.flatMap((note) => textFor(name, note));
    return texts.length === 0 ? [] : [`### ${heading}`, ...texts];
  });
  const released = Object.entries(packages).flatMap(([workspace, { heading }]) => {
    const sections = changelogOf(workspace)
      .replace(/^# .*\n+/, "")
      .trim();
    return sections === "" ? [] : [`## ${heading}`, sections.replaceAll(/^#+(?= )/gm, "$&#")];
  });
  return `${[
    "---\neditLink: false\n---",
    "# Changes",
    "What users of the client and the command line notice in each release. The server has the same versions.",
    ...(next.length === 0 ? [] : ["## Not released yet", ...next]),
    ...released,
  ].join("\n\n")}\n`;
}

/** What a note says, if it is about a package. */
function textFor(name: string, note: string): string[] {
  const [, about = "", text = ""] = /^---\n([^]*?)^---\n([^]*)/m.exec(note) ?? [];
  return about.includes(`"${name}"`) && text.trim() !== "" ? [text.trim()] : [];
}

const read: Reader = (path) => readFileSync(join(root, path), "utf8");

/** Writes the page of this checkout. Git ignores it. */
export function writeChanges(): void {
  const notes = globSync(".changeset/*.md", { cwd: root, exclude: ["**/README.md"] }).toSorted();
  const changelogOf: Reader = (workspace) => {
    const path = join(workspace, "CHANGELOG.md");
    return existsSync(join(root, path)) ? read(path) : "";
  };
  writeFileSync(join(root, "site/changes.md"), changesPage(notes.map(read), changelogOf));
}
