import { expect, test } from "vitest";
import { isUpdate } from "../src/version-order.ts";

/** In ascending order. The prereleases are those of semver.org. */
const versions = [
  "0.9.10",
  "0.10.0",
  ..."alpha alpha.1 alpha.beta beta beta.2 beta.11 beta.11.1 rc.1".split(" ").map((name) => `1.0.0-${name}`),
  "1.0.0",
  "1.0.1-0",
  "1.0.1",
  "1.2.0",
  "1.10.0",
  "2.0.0",
  "10.0.0",
];

function isPrerelease(version: string): boolean {
  return version.includes("-");
}

test("a later version is an update, except a prerelease for a user of a release", () => {
  for (const [at, current] of versions.entries()) {
    const updates = versions.filter((latest) => isUpdate(latest, current));
    const later = versions.slice(at + 1);
    expect({ current, updates }).toEqual({
      current,
      updates: isPrerelease(current) ? later : later.filter((version) => !isPrerelease(version)),
    });
  }
});

test("build metadata is ignored", () => {
  expect(isUpdate("1.0.0+build.2", "1.0.0+build.1")).toBe(false);
  expect(isUpdate("1.0.1+build", "1.0.0")).toBe(true);
});

test.each(["", "1", "1.0", "v2.0.0", "2.0.0 ", "2.0.0\u001b[2J", "latest"])("%j is no version", (text) => {
  expect(isUpdate(text, "1.0.0")).toBe(false);
  expect(isUpdate("2.0.0", text)).toBe(false);
});
