import { expect, test } from "vitest";
import { expectShown } from "../visitor.ts";
import { signedOut, signIn } from "./add-form.ts";
import { startBoard } from "./board.ts";

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

/** The parts at the top of the page that cover each other. Runs in the page. */
function overlaps(): string[] {
  const parts = [...document.querySelectorAll(".page-header :is(.brand, .tabs a, .header-actions button)")];
  const boxes = parts.map((part) => ({ part, box: part.getBoundingClientRect() }));
  return boxes.flatMap(({ part, box }, index) =>
    boxes
      .slice(index + 1)
      .filter(
        ({ box: { left, right, top, bottom } }) =>
          left < box.right && box.left < right && top < box.bottom && box.top < bottom,
      )
      .map((other) => `${part.textContent} and ${other.part.textContent}`),
  );
}

test("a long name of the board takes no room from the tabs and buttons beside it", async () => {
  await using board = await startBoard({ boardName: "Shelter for animals of the whole region, founded 9" });
  const page = await board.open();
  await expectShown(page.getByRole("button", { name: "Add animals" }));
  for (const width of [320, 390, 768, 833, 1024, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    expect([width, await page.evaluate(overlaps)]).toEqual([width, []]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});
