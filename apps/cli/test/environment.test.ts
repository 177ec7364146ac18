import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const sources = ["tsdown.config.ts", ...globSync("src/**/*.ts", { cwd: root })].map((file) =>
  readFileSync(join(root, file), "utf8"),
);

/** Set by the system or the desktop, or for every program. Users do not set them for this one. */
const ofSystem = ["APPDATA", "DISPLAY", "HOME", "LOCALAPPDATA", "TERM", "WAYLAND_DISPLAY"];

/** The variables that the source reads. */
function readVariables(): string[] {
  const names = sources.flatMap((source) => [
    ...Array.from(source.matchAll(/\b(?:environment|env)\["(\w+)"\]/g), ([, name = ""]) => name),
    // Taken apart: `{ A, B: b = "" } = terminal.environment`.
    ...Array.from(
      source.matchAll(/\{([^{}]*)\}(?:: Terminal\["environment"\]| = (?:\w+\.)*(?:environment|env)\b)/g),
    ).flatMap(([, members = ""]) => Array.from(members.matchAll(/(?:^|,)\s*([A-Z_]+)/g), ([, name = ""]) => name)),
    // Names in variables and lists.
    ...Array.from(source.matchAll(/"((?:[A-Z]+_)+[A-Z]+|APPDATA|LOCALAPPDATA)"/g), ([, name = ""]) => name),
  ]);
  return [...new Set(names)].filter((name) => /^[A-Z]/.test(name) && name !== "ENOENT");
}

test("the README has every variable that the source reads", () => {
  const read = readVariables();
  expect(read).toEqual(expect.arrayContaining(["PETSTORE_LOG", "PETSTORE_BASE_URL"]));
  const manual = readFileSync(join(root, "README.md"), "utf8");
  const missing = read.filter((name) => !ofSystem.includes(name) && !manual.includes(name));
  expect(missing).toEqual([]);
});
