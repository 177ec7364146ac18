import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "@petstore/test-kit/checkout";
import { expect, test } from "vitest";
import { expectCount, startBoard, stock } from "./board.ts";

test("every animal of the view is printed, and nothing else", async () => {
  await using board = await startBoard({ animals: 300 });
  await stock(board, 5, "sold");
  const page = await board.open();
  await expectCount(page, "300 animals");
  await page.evaluate(() => {
    addEventListener("beforeprint", () => {
      Object.assign(globalThis, { printed: document.querySelectorAll(".print tbody tr").length });
    });
  });
  const pdf = await page.pdf({ format: "A4" });
  expect(pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(5);
  expect(await page.evaluate("printed")).toBe(300);
  await expect.poll(() => page.locator(".print").count()).toBe(0);
});

test("the view is saved as the CSV file that the command line writes", async () => {
  await using board = await startBoard();
  const names = ["=1+2", "'quoted", 'a "b", c', "line\nbreak", "@x", "Müller", " ", "-7"];
  await board.server.store.importPets(
    names.map((name, index) => ({ id: index + 1, name, categoryId: -index, status: "sold" })),
  );
  const page = await board.open({ view: "?status=sold&order=oldest" });
  await expectCount(page, `${names.length} animals`);
  await page.getByRole("button", { name: "More for this list" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV (8)" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("animals.csv");
  const saved = await readFile(await file.path(), "utf8");

  const main = join(root, "apps/cli/src/main.ts");
  const options = ["pets", "list", "--status", "sold", "--all", "--output", "csv"];
  const env = { ...process.env, PETSTORE_BASE_URL: `${board.url}v1`, PETSTORE_API_KEY: board.server.apiKey };
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...options], { env });
  expect(saved).toBe(`\uFEFF${stdout}`); // with the mark by which Excel knows UTF-8
});
