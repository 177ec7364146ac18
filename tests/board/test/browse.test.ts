import { expect, test } from "vitest";
import { expectShown, expectShownInTime, listRequests, startBoard, stock, useChromium } from "./visitor.ts";

const visit = useChromium();

const largest = "9223372036854775807";
const beyondNumbers = "9007199254740993";

test("each tab has a link, and going back and forward requests nothing and keeps the place", async () => {
  await using board = await startBoard();
  await stock(board, 250);
  await stock(board, 50, "sold");
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  const scroll = () => page.evaluate(() => Math.round(scrollY));
  await page.getByText("100 animals so far").first().waitFor();
  await page.evaluate(() => scrollTo(0, 5_000));
  await page.getByText("200 animals so far").first().waitFor();

  const sold = page.getByRole("link", { name: "Sold", exact: true });
  expect(await sold.getAttribute("href")).toBe("/?status=sold");
  await sold.click();
  await page.getByText("50 animals").first().waitFor();
  expect(page.url()).toBe(`${board.url}?status=sold`);
  expect(await sold.getAttribute("aria-current")).toBe("page");
  expect(await scroll()).toBe(0);
  await page.evaluate(() => scrollTo(0, 700));
  await expect.poll(scroll).toBe(700);

  const before = listRequests(board);
  await page.goBack();
  await expectShown(page.getByText("200 animals so far").first());
  await expect.poll(scroll).toBe(5_000);
  await page.goForward();
  await expectShown(page.getByText("50 animals").first());
  await expect.poll(scroll).toBe(700);
  expect(listRequests(board)).toEqual(before);
});

test("a reload keeps the view and its details, and closing them stays in the list", async () => {
  await using board = await startBoard();
  await stock(board, 5, "sold");
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?status=sold&pet=3" });
  const { page } = visitor;
  const details = page.getByRole("dialog", { name: "Animal 3", exact: true });
  await expectShown(details);
  await page.reload();
  await expectShown(details);
  await page.keyboard.press("Escape");
  await details.waitFor({ state: "detached" });
  expect(page.url()).toBe(`${board.url}?status=sold`);

  await page.getByRole("link", { name: "Animal 4" }).click();
  await expectShown(page.getByRole("dialog", { name: "Animal 4", exact: true }));
  expect(page.url()).toBe(`${board.url}?status=sold&pet=4`);
  await page.goBack();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(page.url()).toBe(`${board.url}?status=sold`);
});

test("a link opens an animal far down the list, where the focus is when it closes", async () => {
  await using board = await startBoard();
  await stock(board, 1_000);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?pet=950" });
  const { page } = visitor;
  await expectShown(page.getByRole("dialog", { name: "Animal 950", exact: true }));
  expect(listRequests(board)).toHaveLength(10);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await expect.poll(focused).toContain("Animal 950");
  await expectShown(page.getByRole("link", { name: "Animal 951" }));
});

test("a link to an animal that is not here offers to look in all", async () => {
  await using board = await startBoard();
  await stock(board, 150);
  await stock(board, 1, "sold");
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?pet=151" });
  const { page } = visitor;
  await page.getByRole("dialog", { name: "There is no animal 151 here" }).waitFor();
  await page.getByRole("link", { name: "Look in all animals" }).click();
  await expectShown(page.getByRole("dialog", { name: "Animal 151", exact: true }));
  expect(page.url()).toBe(`${board.url}?status=all&pet=151`);
});

test("an animal is not missing because a request failed: the board keeps looking", async () => {
  await using board = await startBoard();
  await stock(board, 150);
  board.front.fault = ({ target }) => (target.includes("cursor") ? "cut" : undefined);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?pet=150", hasClock: true });
  visitor.expectFailures(/^net::ERR_EMPTY_RESPONSE GET/);
  const { page } = visitor;
  const dialog = page.getByRole("dialog", { name: "Looking for animal 150" });
  await dialog.getByText("The service does not respond").waitFor();
  board.front.fault = () => undefined;
  await expectShownInTime(page.getByRole("dialog", { name: "Animal 150", exact: true }));
});

test.each([largest, "-9223372036854775808", beyondNumbers])("the id %s is exact wherever it is", async (id) => {
  await using board = await startBoard();
  const [exactId, categoryId] = [BigInt(id), BigInt(beyondNumbers)];
  await board.server.store.importPets([{ id: exactId, name: "Bella", categoryId, status: "available" }]);
  const permissions = ["clipboard-read", "clipboard-write"];
  await using visitor = await visit(board, { apiKey: board.server.apiKey, permissions });
  const { page } = visitor;
  const row = page.getByRole("link", { name: "Bella" });
  await expect.poll(() => row.innerText()).toContain(`#${id}`);
  expect(await row.innerText()).toContain(`Category ${beyondNumbers}`);
  await row.click();
  expect(page.url()).toBe(`${board.url}?pet=${id}`);
  const details = page.getByRole("dialog", { name: "Bella" });
  await expectShown(details.getByText(id, { exact: true }).first());
  await expectShown(details.getByText(beyondNumbers, { exact: true }).last());

  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await details.getByRole("button", { name: "Copy ID" }).click();
  await details.getByText("Copied").waitFor();
  expect(await copied()).toBe(id);
  await details.getByRole("button", { name: "Copy link" }).click();
  await expect.poll(copied).toBe(`${board.url}?status=all&pet=${id}`); // whatever its status becomes
  await page.goto(await copied());
  await expectShown(details);
});

test("an address with an id that is none shows the list", async () => {
  await using board = await startBoard();
  await stock(board, 3);
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  for (const id of ["abc", "007", "1e3", "9223372036854775808", "", "%00", "5 or 1=1"]) {
    await page.goto(`${board.url}?pet=${id}&status=lost&add=x`);
    await expectShown(page.getByText("3 animals").first());
    expect([id, await page.getByRole("dialog").count()]).toEqual([id, 0]);
  }
  expect(new Set(listRequests(board))).toEqual(new Set(["/v1/pets?limit=100&status=available"]));
});

test("the board works below a path", async () => {
  await using board = await startBoard({ prefix: "/shelter/app" });
  await stock(board, 150);
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  await page.getByRole("link", { name: /^Animal 2\b/ }).click();
  await page.waitForURL(`${board.url}?pet=2`);
  await page.reload();
  await expectShown(page.getByRole("dialog", { name: "Animal 2", exact: true }));
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "All", exact: true }).click();
  await page.waitForURL(`${board.url}?status=all`);
  expect(board.front.seen.filter(({ target }) => !target.startsWith("/shelter/app/"))).toEqual([]);
});
