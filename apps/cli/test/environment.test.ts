import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { topicRows } from "../src/commands/help.ts";

const root = join(import.meta.dirname, "..");
const sources = ["tsdown.config.ts", ...globSync("src/**/*.ts", { cwd: root })].map((file) =>
  readFileSync(join(root, file), "utf8"),
);

/** Set by the system or the desktop. Users do not set them for this program. */
const ofSystem = ["APPDATA", "DISPLAY", "HOME", "LOCALAPPDATA", "TERM", "WAYLAND_DISPLAY"];

/** The variables that the source reads, in capitals. */
function readVariables(): string[] {
  const names = sources.flatMap((source) => [
    ...Array.from(source.matchAll(/\b(?:environment|env)\["(\w+)"\]/g), ([, name = ""]) => name),
    // Taken apart: `{ A, B: b = "" } = terminal.environment`.
    ...Array.from(
      source.matchAll(/\{([^{}]*)\}(?:: Terminal\["environment"\]| = (?:\w+\.)*(?:environment|env)\b)/g),
    ).flatMap(([, members = ""]) => Array.from(members.matchAll(/(?:^|,)\s*(\w+)/g), ([, name = ""]) => name)),
    // Names in variables and lists.
    ...Array.from(source.matchAll(/"((?:[A-Z]+_)+[A-Z]+|\w+_proxy|APPDATA|LOCALAPPDATA)"/g), ([, name = ""]) => name),
  ]);
  return [...new Set(names.map((name) => name.toUpperCase()))];
}

/** The program removes it, because the client would log to standard error. */
const removed = ["PETSTORE_LOG"];

test("petstore help environment has every variable that the source reads, and no other", () => {
  const named = topicRows("environment").flatMap(([term]) =>
    term.split(", ").map((name) => name.replace(/=.*/, "").toUpperCase()),
  );
  const read = readVariables();
  expect(read).toEqual(expect.arrayContaining([...ofSystem, ...removed, "PETSTORE_BASE_URL", "PETSTORE_API_KEY"]));
  expect(named.toSorted()).toEqual(read.filter((name) => ![...ofSystem, ...removed].includes(name)).toSorted());
});
