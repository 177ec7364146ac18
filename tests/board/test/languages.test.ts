import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { buildMarked } from "./marked-build.ts";
import { expectShown, startBoard, stock, useChromium } from "./visitor.ts";

const visit = useChromium();

const language = (page: Page): Promise<string> => page.evaluate(() => document.documentElement.lang);

test.each([
  ["de-AT", "de", "Anmelden"],
  ["en-GB", "en", "Sign in"],
  ["fr-FR", "en", "Sign in"],
])("a browser that prefers %s gets %s", async (locale, tag, button) => {
  await using board = await startBoard();
  await using visitor = await visit(board, { locale });
  await expectShown(visitor.page.getByRole("button", { name: button, exact: true }));
  expect(await language(visitor.page)).toBe(tag);
});

test("German is chosen once, for this tab and the next, and numbers follow", async () => {
  await using board = await startBoard();
  await stock(board, 1_100);
  await using visitor = await visit(board, { apiKey: board.server.apiKey, view: "?pet=1050" });
  const { page } = visitor;
  await page.getByRole("dialog", { name: "Animal 1050", exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await expectShown(page.getByText("1,100 animals", { exact: true }).first());
  await page.getByRole("button", { name: "Account and settings" }).click();
  await page.getByLabel("Language").selectOption("de");
  await expectShown(page.getByText("1.100 Tiere", { exact: true }).first());
  await page.reload();
  await expectShown(page.getByRole("heading", { name: "Verfügbar", exact: true }));
  expect(await language(page)).toBe("de");
  const second = await visitor.openTab(board.url);
  await expectShown(second.getByRole("button", { name: "Anmelden", exact: true }));
});

/** Texts on the page that do not come from the language file: without marks, and without what the service or the user wrote. */
function foreignTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const data = "bdi, code, .tile, select, script, noscript, textarea";
    const found: string[] = [document.title];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element) {
        for (const name of ["aria-label", "aria-valuetext", "aria-description", "title", "placeholder", "alt"]) {
          found.push(node.getAttribute(name) ?? "");
        }
      } else if (node.parentElement?.closest(data) === null) {
        found.push(node.textContent ?? "");
      }
    }
    return found.filter((text) => {
      let left = text;
      for (let before = ""; before !== left;) {
        before = left;
        left = left.replaceAll(/⟦[^⟦⟧]*⟧/g, "");
      }
      return /\p{L}/u.test(left);
    });
  });
}

test("every text comes from the language file, in every state", { timeout: 120_000 }, async () => {
  const script = await buildMarked();
  await using board = await startBoard();
  await stock(board, 3);
  let isBroken = false;
  board.front.fault = ({ target }) => {
    if (/\/assets\/index-.*\.js$/.test(target)) {
      return { status: 200, headers: { "Content-Type": "text/javascript" }, body: script };
    }
    const isList = target.includes("/v1/pets?limit=100");
    return isBroken && isList ? { status: 500, headers: { "X-Request-Id": "req-1" }, body: "" } : undefined;
  };
  await using visitor = await visit(board);
  visitor.expectFailures(/^(?:401|500) GET/);
  const { page } = visitor;
  const expectMarked = async (text: string): Promise<void> => {
    await page.getByText(text).first().waitFor();
    expect([text, await foreignTexts(page)]).toEqual([text, []]);
  };

  await expectMarked("⟦Sign in to the adoption board⟧");
  const field = page.getByLabel("⟦API key⟧", { exact: true });
  await field.press("Enter");
  await expectMarked("⟦Enter an API key.⟧");
  await field.fill("pst_test_unknown");
  await field.press("Enter");
  await expectMarked("⟦This key does not work⟧");
  await field.fill(board.server.apiKey);
  await field.press("Enter");
  await expectMarked("⟦3 animals⟧");
  await page.getByRole("button", { name: "⟦Account and settings⟧" }).click();
  await expectMarked("⟦Your key can view and add animals.⟧");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Animal 2" }).click();
  await expectMarked("⟦Copy link⟧");
  const views = {
    "?status=sold": "⟦No animals have been sold yet.⟧",
    "?pet=77": "⟦There is no animal 77 here⟧",
    "?add=one": "⟦Add animals⟧",
    "?add=several": "⟦Add animals⟧",
  };
  for (const [view, text] of Object.entries(views)) {
    await page.goto(board.url + view);
    await expectMarked(text);
  }
  isBroken = true;
  await page.goto(`${board.url}?status=pending`);
  await page.getByRole("button", { name: "⟦Try again⟧" }).waitFor();
  await expectMarked("⟦The service failed⟧");
});
