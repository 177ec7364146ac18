import { expectExit, petstoreServer, start } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { z } from "zod";
import { checkLines, Problems } from "../../src/commands/transfer/lines.ts";
import { test } from "../support/petstore.ts";

test("0 for an import whose memory does not grow with its input", async ({ petstore }) => {
  const report = 'process.on("exit", () => console.log(process.resourceUsage().maxRSS / 1024))';
  const importAnimals = async (count: number): Promise<number> => {
    const args = [
      "--import",
      `data:text/javascript,${report}`,
      petstoreServer,
      "import",
      "pets",
      "-",
    ];
    const lines = Array.from(
      { length: count },
      (_, id) => `{"id":${id},"name":"An animal with a name of some length","categoryId":1}\n`,
    );
    const input = lines.join("");
    const { stdout } = await expectExit(
      0,
      start(process.execPath, args, { ...petstore, input }).ended,
    );
    return Math.round(Number(stdout));
  };
  const fewMiB = await importAnimals(1_000);
  const manyMiB = await importAnimals(500_000);
  expect(manyMiB).toBeLessThan(fewMiB + 80);
});

test("65 for endless spaces in linear time: lines that are sixteen times as long cost no more per byte", () => {
  time(1_000);
  const ratio = Math.min(...Array.from({ length: 5 }, () => time(16_000) / time(1_000)));
  expect(ratio).toBeLessThan(4);
});

/** Milliseconds to check 4 MiB of lines with this many spaces in their middle. */
function time(length: number): number {
  const lines = Array<Buffer>(Math.floor(2 ** 22 / length)).fill(
    Buffer.from(`{"a":1${" ".repeat(length)}}x`),
  );
  const problems = new Problems();
  const startedAt = performance.now();
  checkLines("x", { lines, firstNumber: 1, bytesRead: 0 }, z.object({}), problems);
  const took = performance.now() - startedAt;
  expect(problems.count).toBe(lines.length);
  return took;
}
