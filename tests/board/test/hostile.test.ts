import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown, startBoard, useChromium, type Board } from "./visitor.ts";

const visit = useChromium();

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
  await using visitor = await visit(board, { apiKey: board.server.apiKey, viewport: { width: 390, height: 2_000 } });
  const { page } = visitor;
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
    await dialog.waitFor({ state: "detached" });
  }
  expect(await wasHacked(page)).toBeUndefined();
});

const addresses = [
  "?pet=<img src=x onerror=window.hacked=1>",
  "?status=<script>window.hacked=1</script>",
  "?add=javascript:window.hacked=1",
  "?pet=1&pet=<svg onload=window.hacked=1>#<img src=x onerror=window.hacked=1>",
  "?status=__proto__&pet=constructor",
  "#key=<img src=x onerror=window.hacked=1>",
];

test("an address is not trusted", async () => {
  await using board = await startBoard();
  await add(board, "Bella");
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  visitor.expectFailures(/^401 /);
  const { page } = visitor;
  await page.getByRole("link", { name: "Bella" }).waitFor();
  for (const address of addresses) {
    await page.goto("about:blank");
    await page.goto(board.url + address);
    await expectShown(page.getByRole("heading", { level: 1, name: "Available" }));
    const foreign = page.locator("#board :is(script, img, [onerror], [onload])");
    expect([address, await foreign.count()]).toEqual([address, 0]);
    expect([address, await wasHacked(page)]).toEqual([address, undefined]);
  }
});

test("a language that was tampered with falls back", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board);
  const { page } = visitor;
  await page.evaluate(() => localStorage.setItem("petstore-language", "<img src=x onerror=window.hacked=1>"));
  await page.reload();
  await expectShown(page.getByRole("button", { name: "Sign in" }));
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("en");
});

/** Attempts that a script injected into the page could make, by the directive that stops them. */
const attempts = {
  "require-trusted-types-for": [
    "document.body.innerHTML = '<b>markup</b>'",
    "setTimeout('window.hacked = 1')",
    "add('object', 'data', origin)",
  ],
  "trusted-types": ["trustedTypes.createPolicy('hacked', { createHTML: (text) => text })"],
  "connect-src": ["fetch(origin).catch(() => {})", "navigator.sendBeacon(origin)"],
  "script-src-elem": ["import(origin + '/x.js').catch(() => {})"],
  "style-src-elem": ["add('style', 'textContent', 'body { display: none }')"],
  "img-src": ["add('img', 'src', origin + '/x.png')"],
  "base-uri": ["add('base', 'href', origin)"],
  "frame-src": ["add('iframe', 'src', origin)"],
  "form-action": ["add('form', 'action', origin).submit()"],
};

test("the policy of the page stops injected scripts, markup, forms, frames and other origins", async () => {
  await using board = await startBoard();
  await using visitor = await visit(board, { apiKey: board.server.apiKey });
  visitor.expectFailures(/Content Security Policy|This document requires 'Trusted|Security policy|^csp /);
  const { page } = visitor;
  await page.getByText("No animals are available.").first().waitFor();
  await page.evaluate(`
    window.breaches = [];
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => breaches.push(effectiveDirective));
    window.add = (name, property, value) => {
      const element = document.createElement(name);
      element[property] = value;
      document.body.append(element);
      return element;
    };
    window.origin = "http://127.0.0.1:9";
  `);
  for (const [directive, programs] of Object.entries(attempts)) {
    // As text with an error caught: some attempts throw, too.
    for (const program of programs) await page.evaluate(`try { ${program}; } catch {} void 0`);
    const breaches = (): Promise<unknown> => page.evaluate("breaches.splice(0, breaches.length)");
    await expect.poll(breaches, { message: directive }).toEqual(programs.map(() => directive));
  }
  expect(await wasHacked(page)).toBeUndefined();
});

test("the board cannot be framed", async () => {
  await using board = await startBoard();
  await using elsewhere = await startBoard();
  const body = `<!doctype html><link rel="icon" href="data:," /><iframe src="${board.url}"></iframe>`;
  elsewhere.front.fault = () => ({ status: 200, headers: { "Content-Type": "text/html" }, body });
  await using visitor = await visit(elsewhere);
  visitor.expectFailures(/^Framing 'http|^net::ERR_BLOCKED_BY_RESPONSE/);
  const frame = () => visitor.page.frames()[1]?.url();
  await expect.poll(frame).toBe("chrome-error://chromewebdata/");
  expect(visitor.complaints()).toEqual([expect.stringContaining("frame-ancestors 'none'")]);
});
