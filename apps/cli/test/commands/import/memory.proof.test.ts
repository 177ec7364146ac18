import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { row, summary, type ImportDesk } from "../../support/import-desk.ts";

/** Prints the peak memory of the process, in KB. */
const tellMemory =
  "--import=data:text/javascript,process.on('exit',()=>console.error('maxRSS',process.resourceUsage().maxRSS))";

/** Imports rows with problems as a process, and returns its peak memory in MB. */
async function peakOf(desk: ImportDesk, stdout: string): Promise<number> {
  const environment = { NODE_OPTIONS: tellMemory };
  const ended = await desk.start("rows.ndjson -q -o ndjson", { environment }).ended;
  expect(ended).toMatchObject({ exitCode: 1, stdout });
  return Number(/^maxRSS (\d+)$/m.exec(ended.stderr)?.[1]) / 1000;
}

test.for([
  ["an array", "[", (name: string) => row(name + "x".repeat(1000)), ",", "]"],
  ["CSV", "name,categoryId,remark\n", (name: string) => `${name},1,${"x".repeat(1000)}`, "\n", "\n"],
] as const)(
  "1: %s of 50 MB takes no more memory than a short one",
  async ([, start, item, separator, end], { desk, task }) => {
    // A file may have millions of problems, and their reader may be slow.
    const bad = item("");
    const peak = async (count: number) => {
      desk.write(start + Array(count).fill(bad).join(separator) + end);
      return await peakOf(desk, summary(0, 0, count));
    };
    const [small, large] = [await peak(10), await peak(Math.ceil(50_000_000 / (bad.length + 1)))];
    expect(small).toBeGreaterThan(20);
    expect(large - small).toBeLessThan(80);
    task.meta.figure = `${large.toFixed(0)} MB, ${small.toFixed(0)} MB for a short one`;
  },
);

test("1: a line of 100 MB is reported, and takes no more memory than a short one", async ({ desk, task }) => {
  const peak = async (bad: string[]) => {
    await writeFile(join(desk.path, "rows.ndjson"), [`${row("Rex")}\n`, ...bad, `\n${row("Bella")}`]);
    return await peakOf(desk, expect.stringMatching(/"rejected":1\}\n$/) as string);
  };
  const [small, large] = [await peak(["{}"]), await peak(Array(100).fill("x".repeat(1024 * 1024)))];
  expect(small).toBeGreaterThan(20);
  expect(large - small).toBeLessThan(80);
  task.meta.figure = `${large.toFixed(0)} MB, ${small.toFixed(0)} MB for a short one`;
});
