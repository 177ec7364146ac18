import { expectExit, petstoreServer, start } from "@petstore/test-servers/processes";
import { expect } from "vitest";
import { test } from "../support/petstore.ts";

test("0 for an import whose memory does not grow with its input", async ({ petstore }) => {
  const report = 'process.on("exit", () => console.log(process.resourceUsage().maxRSS / 1024))';
  const importAnimals = async (count: number): Promise<number> => {
    const args = ["--import", `data:text/javascript,${report}`, petstoreServer, "import", "pets", "-"];
    const lines = Array.from(
      { length: count },
      (_, id) => `{"id":${id},"name":"An animal with a name of some length","categoryId":1}\n`,
    );
    const input = lines.join("");
    const { stdout } = await expectExit(0, start(process.execPath, args, { ...petstore, input }).ended);
    return Math.round(Number(stdout));
  };
  const fewMiB = await importAnimals(1_000);
  const manyMiB = await importAnimals(500_000);
  expect(manyMiB).toBeLessThan(fewMiB + 80);
});
