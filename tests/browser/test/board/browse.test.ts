import { expect, test } from "vitest";
import { expectShownInTime } from "../clock.ts";
import { expectFocus, expectGone, expectShown } from "../visitor.ts";
import { cut, expectCount, forward, listRequests, only, startBoard, stock } from "./board.ts";

const beyondNumbers = "9007199254740993";

test("each tab has a link, and going back and forward requests nothing and keeps the place", async () => {
  await using board = await startBoard({ animals: 250 });
  await stock(board, 50, "sold");
  const page = await board.open({ hasClock: true });
  const scroll = () => page.evaluate(() => Math.round(scrollY));
  await expectCount(page, "250 animals");
  await page.evaluate(() => scrollTo(0, 5_000));

  const sold = page.getByRole("link", { name: "Adopted 50" });
  expect(await sold.getAttribute("href")).toBe("/?status=sold");
  await sold.click();
  await expectCount(page, "50 animals");
  expect(page.url()).toBe(`${board.url}?status=sold`);
  expect(await sold.getAttribute("aria-current")).toBe("page");
  await expect.poll(() => page.title()).toBe("Adopted · Petstore");
  await expect.poll(scroll).toBe(0);
  await page.evaluate(() => scrollTo(0, 700));
  await expect.poll(scroll).toBe(700);

  const before = listRequests(board);
  await page.goBack();
  await expectCount(page, "250 animals");
  await expect.poll(scroll).toBe(5_000);
  await page.goForward();
  await expectCount(page, "50 animals");
  await expect.poll(scroll).toBe(700);
  expect(listRequests(board)).toEqual(before);
});

test("below a path, a reload keeps the view and its details, and closing them stays in the list, with a double click too", async () => {
  await using board = await startBoard({ prefix: "/shelter/app" });
  await stock(board, 5, "sold");
  const page = await board.open({ view: "?status=sold&pet=3" });
  const details = page.getByRole("dialog", { name: "Animal 3", exact: true });
  await expectShown(details);
  await page.reload();
  await expectShown(details);
  await page.keyboard.press("Escape");
  await expectGone(details);
  expect(page.url()).toBe(`${board.url}?status=sold`);

  const back = (): Promise<unknown> => page.goBack();
  // Both clicks come before the browser has gone back.
  const clickTwice = (): Promise<void> =>
    page
      .getByRole("button", { name: "Close" })
      .evaluate((button: HTMLElement) => (button.click(), button.click()));
  for (const close of [back, clickTwice]) {
    await page.getByRole("link", { name: "Animal 4" }).click();
    await expectShown(page.getByRole("dialog", { name: "Animal 4", exact: true }));
    expect(page.url()).toBe(`${board.url}?status=sold&pet=4`);
    await close();
    await expectGone(page.getByRole("dialog"));
    expect(page.url()).toBe(`${board.url}?status=sold`);
  }
  await page.getByRole("link", { name: /^All/ }).click();
  await page.waitForURL(`${board.url}?status=all`);
  expect(board.proxy.requests.filter(({ target }) => !target.startsWith("/shelter/app/"))).toEqual(
    [],
  );
});

test("a link opens an animal far down the list, where the focus is when it closes, or of another list, or says that it is not here", async () => {
  await using board = await startBoard({ animals: 1_000 });
  await stock(board, 1, "sold");
  const page = await board.open({ view: "?pet=950", hasClock: true });
  await expectShown(page.getByRole("dialog", { name: "Animal 950", exact: true }));
  expect(listRequests(board)).toHaveLength(11);
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await expectFocus(page.getByRole("link", { name: "Animal 950" }));
  await expectShown(page.getByRole("link", { name: "Animal 951" }));
  await page.goto(`${board.url}?pet=1001`);
  await expectShown(page.getByRole("dialog", { name: "Animal 1001", exact: true }));
  await page.goto(`${board.url}?pet=1002`);
  await expectShown(page.getByRole("dialog", { name: "There is no animal 1002 here" }));
});

test("an animal is not missing because a request failed: the board keeps looking", async () => {
  await using board = await startBoard({ animals: 150 });
  board.expectFailures(/^net::ERR_CONNECTION_RESET GET/);
  board.proxy.treat = only(({ target }) => target.includes("cursor"), cut);
  const page = await board.open({ view: "?pet=150", hasClock: true });
  const dialog = page.getByRole("dialog", { name: "Looking for animal 150" });
  await expectShownInTime(dialog.getByText("The service does not respond"));
  board.proxy.treat = forward;
  await expectShownInTime(page.getByRole("dialog", { name: "Animal 150", exact: true }));
});

test("64-bit integers are exact wherever they are", async () => {
  await using board = await startBoard();
  await board.server.store.importPets([
    { id: BigInt(beyondNumbers), name: "Rex", categoryId: -(2n ** 63n), status: "available" },
  ]);
  const page = await board.open({ permissions: ["clipboard-read", "clipboard-write"] });
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("link", { name: `Rex #${beyondNumbers} Category ${-(2n ** 63n)}` }).click();
  expect(page.url()).toBe(`${board.url}?pet=${beyondNumbers}`);
  const details = page.getByRole("dialog", { name: "Rex" });
  await expectShown(details.getByText(beyondNumbers, { exact: true }).first());
  await expectShown(details.getByText(String(-(2n ** 63n)), { exact: true }).last());
  await details.getByRole("button", { name: "Copy ID" }).click();
  await expect.poll(copied).toBe(beyondNumbers);
  await details.getByRole("button", { name: "Copy link" }).click();
  // whatever its status becomes
  await expect.poll(copied).toBe(`${board.url}?status=all&pet=${beyondNumbers}`);
  await page.goto("about:blank");
  await page.goto(`${board.url}?status=all&pet=${beyondNumbers}`);
  await expectShown(details);
});
