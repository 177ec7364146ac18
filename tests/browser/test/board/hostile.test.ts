import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectGone, expectShown } from "../visitor.ts";
import { signedOut, signIn } from "./add-form.ts";
import { startBoard, type Board } from "./board.ts";

const names = {
  "an element": "<img src=x onerror=\"window.hacked='img'\">",
  "a script": "<script>window.hacked='script'</script>",
  "an end of elements": '"></bdi></a></li></ul><svg onload="window.hacked=1">',
  "an address": "javascript:window.hacked=1",
  "a template": "{{constructor.constructor('window.hacked=1')()}} ${window.hacked=1}",
  entities: "&lt;b&gt; &amp; &#x202E;",
  "right to left": "שלום עולם بيلا",
  "an override": "\u202Egnp.exe\u202D \u2066isolated",
  "zero width": "\u200B\u200D\uFEFF\u2060",
  "255 emoji": "🐈".repeat(255),
  "one family": "👩‍👩‍👧‍👦".repeat(36),
  "stacked marks": `Z${"\u0301\u0489\u035F".repeat(80)}`,
  "one long word": "W".repeat(255),
  quotes: "' OR '1'='1\"; --",
  nothing: " ",
};

/** Stores one animal by the API. */
async function add(board: Board, name: string): Promise<void> {
  const { status, text } = await board.server.call("/pets", { body: { name, categoryId: 7 } });
  if (status !== 201) throw new Error(text);
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const wasHacked = (page: Page): Promise<unknown> => page.evaluate("window.hacked");

/** Names without anything to see are shown as such. */
function shownName(name: string): string {
  return /^[\s\u200b-\u200d\u2060\ufeff]*$/.test(name) ? "(no name)" : name;
}

test("a name is text, whatever it contains", async () => {
  await using board = await startBoard();
  for (const name of Object.values(names)) await add(board, name);
  const page = await board.open({ view: "?order=oldest", viewport: { width: 390, height: 2_000 } });
  const list = page.getByRole("list", { name: "Animals: Available" });
  await expect.poll(() => list.locator("bdi").allTextContents()).toEqual(Object.values(names).map(shownName));

  // None moves or covers what is beside it.
  const rows = list.getByRole("listitem");
  const heights = await rows.evaluateAll((items) => items.map((item) => item.getBoundingClientRect().height));
  expect(new Set(heights).size).toBe(1);
  expect(await overflow(page)).toBeLessThanOrEqual(0);

  for (const [index, [kind, name]] of Object.entries(names).entries()) {
    const row = rows.nth(index).getByRole("link");
    const isOnTop = await row.evaluate((node) => {
      const { left, top, height } = node.getBoundingClientRect();
      return node.contains(document.elementFromPoint(left + 40, top + height / 2));
    });
    expect([kind, isOnTop]).toEqual([kind, true]);
    await row.click();
    const dialog = page.getByRole("dialog");
    await expect
      .poll(() => dialog.getByRole("heading").locator("bdi").textContent(), { message: kind })
      .toBe(shownName(name));
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.keyboard.press("Escape");
    await expectGone(dialog);
  }
  expect(await wasHacked(page)).toBeUndefined();
});

const addresses = [
  "?pet=<img src=x onerror=window.hacked=1>",
  "?status=<script>window.hacked=1</script>",
  "?add=javascript:window.hacked=1",
  "?status=__proto__&pet=constructor",
  ...["007", "1e3", "9223372036854775808", "%00"].map((id) => `?pet=${id}&status=lost&add=x`),
  "#key=<img src=x onerror=window.hacked=1>",
];

test("an address and a stored language may have any value", async () => {
  await using board = await startBoard();
  await add(board, "Bella");
  const page = await board.open();
  board.expectFailures(/^401 /);
  await expectShown(page.getByRole("link", { name: "Bella" }));
  await page.evaluate(() => localStorage.setItem("petstore-language", "<img src=x onerror=window.hacked=1>"));
  for (const address of addresses) {
    await page.goto("about:blank");
    await page.goto(board.url + address);
    await expectShown(page.getByRole("heading", { level: 1, name: "Available" }));
    const foreign = page.locator("#board :is(script, [onerror], [onload])");
    const dialog = page.getByRole("dialog");
    const found = [await foreign.count(), await dialog.count(), await wasHacked(page)];
    expect([address, ...found]).toEqual([address, 0, 0, undefined]);
  }
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("en");
});

test("the name of the board is text at its top, on the page to sign in, and in the title, whatever it contains", async () => {
  const boardName = `<b>Paws</b> & "Claws" &amp; <img src=x onerror=alert(1)>`.slice(0, 50);
  await using board = await startBoard({ boardName });
  const page = await board.open({ apiKey: null });
  const shown = page.locator(".brand");
  await expectShown(signedOut(page));
  expect([await shown.allTextContents(), await page.title()]).toEqual([[boardName], `Sign in · ${boardName}`]);
  await signIn(page, board.server.apiKey);
  await expectShown(page.getByRole("banner").getByRole("link", { name: boardName }));
  expect([await shown.allTextContents(), await page.title()]).toEqual([[boardName], `Available · ${boardName}`]);
  expect(await page.locator(".brand :is(b, img:not(.logo))").count()).toBe(0);
});
