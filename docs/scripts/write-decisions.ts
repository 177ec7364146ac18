/** Writes the contents of docs/decisions from the heads of its pages. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeGenerated } from "../../scripts/generated.ts";
import { readDecisions, withContents } from "./decisions.ts";

const directory = new URL("../decisions/", import.meta.url);
const contents = new URL("README.md", directory);
const decisions = readDecisions(fileURLToPath(directory));

writeGenerated(contents, withContents(readFileSync(contents, "utf8"), decisions));
