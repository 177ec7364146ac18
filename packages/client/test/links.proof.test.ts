import { expect, test } from "vitest";
import { json, scriptedClient } from "./scripted-client.ts";

const parts = ["<", "<a>", "<a> ", "<a>;", "<a>; rel=", " ", '"', '<a>"', '<a>"\\"', '\\"<a>', "<a>; rel=x;"];

test("a Link is parsed in time proportional to its length", async ({ task }) => {
  // In linear time 16 times the text takes 16 times as long, in quadratic time 256 times as long.
  const ratios: number[] = [];
  for (const part of parts) ratios.push((await shortestTime(part, 262_144)) / (await shortestTime(part, 16_384)));
  const most = Math.max(...ratios);
  task.meta.figure = `16 times the text takes at most ${most.toFixed(0)} times as long`;
  expect(most).toBeLessThan(64);
});

/** The shortest of several runs with this header, so that a pause of the machine does not count. */
async function shortestTime(part: string, length: number): Promise<number> {
  const { client } = scriptedClient(json(200, [], { Link: part.repeat(length / part.length) }));
  const times: number[] = [];
  for (let attempt = 0; attempt < 9; attempt++) {
    const start = performance.now();
    await client.listPets();
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}
