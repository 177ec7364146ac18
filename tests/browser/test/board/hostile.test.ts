import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectGone, expectShown } from "../visitor.ts";
import { signedOut, signIn } from "./add-form.ts";
import { startBoard } from "./board.ts";

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
  nothing: " ",
};

const wasHacked = (page: Page): Promise<unknown> => page.evaluate("window.hacked");

/** Names without anything to see are shown as such. */
function shownName(name: string): string {
  return /^[\s\u200b-\u200d\u2060\ufeff]*$/.test(name) ? "(no name)" : name;
}

test("the names of the animals and of the board are text, whatever they contain", async () => {
  const boardName = `<b>Paws</b> & "Claws" &amp; <img src=x onerror=alert(1)>`.slice(0, 50);
  await using board = await startBoard({ boardName });
  await board.server.store.importPets(
    Object.values(names).map((name, index) => ({
      id: index + 1,
      name,
      categoryId: 7,
      status: "available",
    })),
  );
  const page = await board.open({
    apiKey: null,
    view: "?order=oldest",
    viewport: { width: 390, height: 2_000 },
  });
  const brand = page.locator(".brand");
  await expectShown(signedOut(page));
  expect([await brand.allTextContents(), await page.title()]).toEqual([
    [boardName],
    `Sign in · ${boardName}`,
  ]);
  await signIn(page, board.server.apiKey);
  await expectShown(page.getByRole("banner").getByRole("link", { name: boardName }));
  expect([await brand.allTextContents(), await page.title()]).toEqual([
    [boardName],
    `Available · ${boardName}`,
  ]);
  expect(await page.locator(".brand :is(b, img:not(.logo))").count()).toBe(0);

  const list = page.getByRole("list", { name: "Animals: Available" });
  await expect
    .poll(() => list.locator("bdi").allTextContents())
    .toEqual(Object.values(names).map(shownName));
  // None moves or covers what is beside it.
  const rows = list.getByRole("listitem");
  const heights = await rows.evaluateAll((items) =>
    items.map((item) => item.getBoundingClientRect().height),
  );
  expect(new Set(heights).size).toBe(1);
  for (const [index, [kind, name]] of Object.entries(names).entries()) {
    await rows.nth(index).getByRole("link").click();
    const heading = page.getByRole("dialog").getByRole("heading").locator("bdi");
    await expect.poll(() => heading.textContent(), { message: kind }).toBe(shownName(name));
    expect([kind, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([
      kind,
      390,
    ]);
    await page.keyboard.press("Escape");
    await expectGone(page.getByRole("dialog"));
  }
  expect(await wasHacked(page)).toBeUndefined();
});

const addresses = [
  "?pet=<img src=x onerror=window.hacked=1>",
  "?status=<script>window.hacked=1</script>",
  "?add=javascript:window.hacked=1",
  "?status=__proto__&pet=constructor",
  ...["1e3", "9223372036854775808"].map((id) => `?pet=${id}&status=lost&add=x`),
  "#key=<img src=x onerror=window.hacked=1>",
];

test("an address and a stored language may have any value", async () => {
  await using board = await startBoard({ animals: 1 });
  const page = await board.open();
  board.expectFailures(/^401 /);
  await expectShown(page.getByRole("link", { name: "Animal 1" }));
  await page.evaluate(() =>
    localStorage.setItem("petstore-language", "<img src=x onerror=window.hacked=1>"),
  );
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
