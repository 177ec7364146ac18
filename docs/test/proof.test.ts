import { globSync } from "node:fs";
import { read, root } from "@petstore/test-kit/checkout";
import { promises } from "@petstore/test-kit/promises";
import { proofOf } from "@petstore/test-kit/proof";
import type { ProofRow } from "@petstore/test-kit/proof-reporter";
import { expect, test } from "vitest";

/** The line about one promise, and whether all are proved. */
function proofWith(rows: ProofRow[]): { line: string | undefined; isProved: boolean } {
  const proofRun = { seed: "7", began: 0, minutes: 1, commit: "abc", machine: "Node 24" };
  const { text, isProved } = proofOf(rows, proofRun);
  return { line: text.split("\n").find((line) => line.includes(promises["kill-9"].promise)), isProved };
}

test("the proof shows each promise as proved, as failed or as not run, and is none unless all are proved", () => {
  const rows = Object.entries(promises).map(([promise, { suite }]) => {
    return { suite, promise, figure: "1 of 1", folder: "f", file: "test/g.test.ts", hasPassed: true } as ProofRow;
  });
  expect(proofWith(rows)).toEqual({ line: expect.stringContaining("| proved | 1 of 1 | f | g |"), isProved: true });
  const others = rows.filter(({ promise }) => promise !== "kill-9");
  expect(proofWith(others)).toEqual({ line: expect.stringContaining("| NOT RUN |"), isProved: false });
  // A promise may have several tests. One that ends early has no figure.
  for (const hasPassed of [false, true]) {
    const bad: ProofRow = { suite: "server", promise: "kill-9", figure: undefined, hasPassed };
    expect(proofWith([...rows, bad])).toEqual({
      line: expect.stringContaining("| FAILED | 1 of 1 |"),
      isProved: false,
    });
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
