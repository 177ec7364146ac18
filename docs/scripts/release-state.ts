/**
 * Writes the state of the release into every page and file that has it. A release runs this: it
 * needs no package.
 */
import { globSync, readFileSync } from "node:fs";
import { writeGenerated } from "../../scripts/generated.ts";
import { readVersion, withImageVersion, withReleaseState } from "../../scripts/release.ts";

const root = new URL("../../", import.meta.url);
const version = readVersion();

const pages = ["*.md", "{apps,packages}/*/*.md", "packages/client/docs/*.md", "docs/*.md"];
const files = ["deploy/Dockerfile", "deploy/compose.yaml"];

for (const file of globSync([...pages, ...files], { cwd: root, exclude: ["**/CHANGELOG.md"] })) {
  const url = new URL(file, root);
  const text = readFileSync(url, "utf8");
  const current = withImageVersion(withReleaseState(file, text, version), version);
  if (current !== text) writeGenerated(url, current);
}
