import { globSync } from "node:fs";
import { read, root } from "@petstore/test-kit/checkout";
import { promises } from "@petstore/test-kit/promises";
import { proofOf } from "@petstore/test-kit/proof";
import type { ProofRow } from "@petstore/test-kit/proof-reporter";
import { expect, test } from "vitest";

const proofRun = { seed: "7", began: 0, minutes: 1, commit: "abc", machine: "Node 24" };

function lineOf(rows: ProofRow[], id: keyof typeof promises): string {
  const { text } = proofOf(rows, proofRun);
  return text.split("\n").find((line) => line.includes(promises[id].promise)) ?? "";
}

const passed: ProofRow[] = Object.entries(promises).map(([promise, { suite }]) => {
  return {
    suite,
    promise: promise as keyof typeof promises,
    figure: "1 of 1",
    folder: "f",
    file: "test/g.test.ts",
    hasPassed: true,
  };
});

test("the proof shows each promise as proved, as failed or as not run, and is none unless all are proved", () => {
  expect(proofOf(passed, proofRun)).toMatchObject({ isProved: true });
  expect(lineOf(passed, "kill-9")).toContain("| proved | 1 of 1 | f | g |");
  const others = passed.filter(({ promise }) => promise !== "kill-9");
  expect(lineOf(others, "kill-9")).toContain("| NOT RUN |");
  expect(proofOf(others, proofRun)).toMatchObject({ isProved: false });
  // A promise may have several tests. One that ends early has no figure.
  const row = { suite: "server", promise: "kill-9", folder: "f", file: "g" } as const;
  for (const bad of [
    { ...row, figure: undefined, hasPassed: false },
    { ...row, figure: undefined, hasPassed: true },
  ]) {
    expect(lineOf([...passed, bad], "kill-9")).toContain("| FAILED | 1 of 1 |");
    expect(proofOf([...passed, bad], proofRun)).toMatchObject({ isProved: false });
  }
});

test("every promise is proved by a test of its suite, and every test with a figure proves one", () => {
  const files = globSync("{apps,packages,tests,docs}/**/*.test.ts", { cwd: root, exclude: ["**/node_modules/**"] });
  const named = files.flatMap((file) =>
    [...read(file).matchAll(/task\.meta\.promise = "(.+)";/g)].map(([, id = ""]) => [id, file] as const),
  );
  expect(new Set(named.map(([id]) => id))).toEqual(new Set(Object.keys(promises)));
  for (const [id, file] of named) expect(file).toContain(promises[id as keyof typeof promises].suite);
  const count = (what: string) => files.flatMap((file) => read(file).split(`task.meta.${what} =`).slice(1)).length;
  expect(count("promise")).toBe(count("figure"));
});
