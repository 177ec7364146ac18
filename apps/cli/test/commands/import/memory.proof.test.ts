import { startHttpServer } from "@petstore/test-kit/http-server";
import { expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { importDesk, rows, summary, type ImportDesk } from "../../support/import-desk.ts";

/** Prints the peak memory of the process, in KB. */
const tellMemory =
  "--import=data:text/javascript,process.on('exit',()=>console.error('maxRSS',process.resourceUsage().maxRSS))";

/**
 * Little room for new objects. With more, how much garbage they leave depends on how busy the
 * machine is.
 */
const littleRoom = "--max-semi-space-size=2";

/** Imports rows with problems as a process, and returns its peak memory in MB. */
async function peakOf(desk: ImportDesk, stdout: string, nodeOptions = ""): Promise<number> {
  const environment = { NODE_OPTIONS: `${tellMemory} ${nodeOptions}` };
  const ended = await desk.start("rows.ndjson -q -o ndjson", { environment }).ended;
  expect(ended).toMatchObject({ exitCode: 1, stdout });
  return Number(/^maxRSS (\d+)$/m.exec(ended.stderr)?.[1]) / 1000;
}

const filler = "x".repeat(1000);

test("1: NDJSON of 50 MB takes no more memory than a short one", async ({ desk }) => {
  const bad = `{"name":"${filler}","categoryId":1}\n`;
  // A file may have millions of problems, and their reader may be slow.
  const peak = async (count: number) => {
    desk.write(bad.repeat(count));
    return await peakOf(desk, summary(0, 0, count), littleRoom);
  };
  const [small, large] = [await peak(10), await peak(Math.ceil(50_000_000 / bad.length))];
  expect(small).toBeGreaterThan(20);
  expect(large - small).toBeLessThan(80);
});

test("1: a sheet of 100,000 rows and 20 MB takes less than 600 MB", async ({ desk }) => {
  desk.write(`name,categoryId,remark\n${`,1,${"x".repeat(200)}\n`.repeat(100_000)}`);
  const peak = await peakOf(desk, summary(0, 0, 100_000));
  expect(peak).toBeLessThan(600);
});

test("0: an import of 100,000 rows of NDJSON continues in a heap of 48 MB, which knows every row", async () => {
  const added = JSON.stringify({ id: 1, name: "Rex", categoryId: 1, status: "available" });
  await using server = await startHttpServer((request, response) =>
    request
      .resume()
      .on("end", () => response.writeHead(201, { "Content-Type": "application/json" }).end(added)),
  );
  const desk = importDesk({ url: `${server.origin}/v1`, apiKey: "pst_test_0" });
  const count = 100_000;
  desk.write(rows(count));
  expect(await desk.start("rows.ndjson -q -o ndjson").ended).toMatchObject({
    stdout: summary(count, 0, 0),
  });
  const environment = { NODE_OPTIONS: "--max-old-space-size=48" };
  const ended = await desk.start("rows.ndjson -q -o ndjson", { environment }).ended;
  expect(ended).toMatchObject({ exitCode: 0, stdout: summary(0, count, 0) });
});
