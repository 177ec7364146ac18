import { expect, test } from "vitest";
import { startBoard, useChromium } from "./visitor.ts";

const visit = useChromium();

test("the fragment of the address signs in, and disappears from the address", async () => {
  await using board = await startBoard();
  const { server } = board;
  await server.call("/pets", { body: { name: "Bella", categoryId: 7 } });
  await using visitor = await visit(board, { apiKey: server.apiKey });
  const { page } = visitor;
  await page.getByRole("link", { name: "Bella" }).waitFor();
  expect(page.url()).toBe(board.url);
});
