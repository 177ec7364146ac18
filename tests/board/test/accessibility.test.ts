import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown, startBoard, stock, useChromium } from "./visitor.ts";

const visit = useChromium();

const focusedName = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? "";
  });

test("the tab key goes through the page in its visual order, with one stop for the list", async () => {
  await using board = await startBoard();
  await stock(board, 3);
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  await expectShown(page.getByText("3 animals"));
  await expectShown(page.getByRole("button", { name: "Add animals" }));
  const order: string[] = [];
  for (let step = 0; step < 11; step++) {
    await page.keyboard.press("Tab");
    order.push(await focusedName(page));
  }
  const header = ["Petstore", "Available", "Pending", "Sold", "All", "Add animals", "Account and settings"];
  expect(order.slice(0, 10)).toEqual(["Go to the list", ...header, "Newest", "Refresh"]);
  expect(order[10]).toContain("Animal 1");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("BODY");
});

test("the skip link leads to the list", async () => {
  await using board = await startBoard();
  await stock(board, 3);
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  await expectShown(page.getByText("3 animals"));
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
});

test("Enter opens a row, Escape or a button closes its details, and the focus returns to the row", async () => {
  await using board = await startBoard();
  await stock(board, 30);
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  await page.getByRole("link", { name: /^Animal 1\b/ }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => focusedName(page)).toContain("Animal 3");
  const details = page.getByRole("dialog", { name: "Animal 3", exact: true });
  const ways = [() => page.keyboard.press("Escape"), () => details.getByRole("button", { name: "Close" }).click()];
  for (const close of ways) {
    await page.keyboard.press("Enter");
    await expectShown(details);
    await close();
    await details.waitFor({ state: "detached" });
    await expect.poll(() => focusedName(page)).toContain("Animal 3");
  }
});

test("every element that takes the focus shows it", async () => {
  await using board = await startBoard();
  await stock(board, 3);
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  const { page } = visitor;
  await expectShown(page.getByText("3 animals"));
  const hidden: string[] = [];
  for (let step = 0; step < 11; step++) {
    await page.keyboard.press("Tab");
    const outline = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    });
    if (!outline) hidden.push(await focusedName(page));
  }
  expect(hidden).toEqual([]);
});

test("each view has a title of its own, one main heading, and its landmarks", async () => {
  await using board = await startBoard();
  await stock(board, 3);
  await using visitor = await visit(board);
  const { page } = visitor;
  await expect.poll(() => page.title()).toBe("Sign in · Petstore");
  await page.goto(`${board.url}?status=sold#key=${board.server.apiKey}`);
  await expect.poll(() => page.title()).toBe("Sold · Petstore");
  expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
  const landmarks = ["banner", "navigation", "main"] as const;
  const counts = await Promise.all(landmarks.map((landmark) => page.getByRole(landmark).count()));
  expect(counts).toEqual([1, 1, 1]);
});

test("targets are large enough for fingers", async () => {
  await using board = await startBoard();
  await stock(board, 3);
  const viewport = { width: 390, height: 844 };
  await using visitor = await visit(board, { apiKey: board.server.apiKey, viewport, hasTouch: true, isMobile: true });
  const { page } = visitor;
  await expectShown(page.getByRole("button", { name: "Add animals" }));
  await expectShown(page.getByText("3 animals"));
  const small = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("button, .tabs a, .pet, select")].flatMap((element) => {
        const { width, height } = element.getBoundingClientRect();
        return width === 0 || (height >= 44 && width >= 24) ? [] : [`${element.textContent} ${width}x${height}`];
      }),
    );
  expect(await small()).toEqual([]);
});

test("nothing moves for those who want no motion", async () => {
  await using board = await startBoard();
  await stock(board, 3);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, reducedMotion: "no-preference" });
  const { page } = visitor;
  await expectShown(page.getByText("3 animals"));
  const moving = () =>
    page.evaluate(() => {
      const parts = [undefined, "::before", "::after"];
      const styles = [...document.querySelectorAll("*")].flatMap((element) =>
        parts.map((part) => getComputedStyle(element, part)),
      );
      const animated = styles.filter(({ animationName }) => animationName !== "none").length;
      const fading = styles.filter(({ transitionDuration }) => /[1-9]/.test(transitionDuration)).length;
      return { animated, fading };
    });
  await page.getByRole("link", { name: /^Animal 1\b/ }).click();
  await expectShown(page.getByRole("dialog"));
  const { animated, fading } = await moving();
  expect(Math.min(animated, fading)).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await moving()).toEqual({ animated: 0, fading: 0 });
});
