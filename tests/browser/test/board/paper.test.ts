import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectFocus, expectShown, untilDrawn, type VisitOptions } from "../visitor.ts";
import { expectCount, startBoard, stock, type Board } from "./board.ts";

const printMargins = { top: "1cm", bottom: "1cm", left: "1cm", right: "1cm" };

/** Prints as the browser does. Returns the size of each page, in points. */
async function print(page: Page): Promise<number[][]> {
  const pdf = await page.pdf({ format: "A4", margin: printMargins, preferCSSPageSize: true });
  const boxes = pdf.toString("latin1").matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g);
  return Array.from(boxes, ([, width, height]) => [Number(width), Number(height)]);
}

/** Runs a function in the page while it is printed. */
async function whilePrinted<Result>(page: Page, look: () => Result): Promise<Result> {
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const result = await page.evaluate(look);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await page.emulateMedia({ media: null });
  return result;
}

/** The lines that are printed, with tabs between cells. Leaves out today's date. */
async function linesOf(page: Page): Promise<string[]> {
  const text = await whilePrinted(page, () => document.body.innerText);
  return text
    .split(/\n+/)
    .map((line) => line.replace(/\w+ \d+, \d{4} at \d+:\d\d.[AP]M$/, "today"));
}

async function openDetails(board: Board, id: number, options: VisitOptions = {}): Promise<Page> {
  const page = await board.open({ view: `?pet=${id}`, ...options });
  await expectShown(page.locator("dialog dd").first());
  return page;
}

/**
 * Presses the button for a label. The dialog of the browser, which this answers, would wait for a
 * person.
 */
async function pressLabel(page: Page, button = "Print label"): Promise<void> {
  await page.evaluate(() => Object.assign(globalThis, { print: () => undefined }));
  await page.getByRole("button", { name: button }).click();
}

test("every one of 321 animals is printed once, in a row below a heading, and nothing else of the page", async () => {
  await using board = await startBoard({ animals: 321 });
  const page = await board.open();
  await expectCount(page, "321 animals");
  const rows = Array.from({ length: 321 }, (_, index) => {
    const id = 321 - index;
    return `Animal ${id}\t${id}\t${id % 9}\tAvailable`;
  });
  expect(await linesOf(page)).toEqual([
    "Available",
    "321 animals · today",
    "Name\tID\tCategory\tStatus",
    ...rows,
  ]);
});

test("321 animals take at most 8 pages of A4, and their names of 255 characters are not cut", async () => {
  await using board = await startBoard({ animals: 320 });
  await board.server.store.importPets([
    { id: 400, name: "W".repeat(255), categoryId: 1, status: "available" },
  ]);
  const page = await board.open();
  await expectCount(page, "321 animals");
  const pages = await print(page);
  expect(pages.length).toBeGreaterThan(4);
  expect(pages.length).toBeLessThanOrEqual(8);
  const widths = await whilePrinted(page, () => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { scrollWidth, clientWidth };
  });
  expect(widths.scrollWidth).toBe(widths.clientWidth);
});

test("the header of the table is repeated on every page, and no row is divided between two", async () => {
  await using board = await startBoard({ animals: 3 });
  const page = await board.open();
  await expectCount(page, "3 animals");
  const [display, breakInside] = await whilePrinted(page, () => [
    getComputedStyle(document.querySelector("#paper thead") as Element).display,
    getComputedStyle(document.querySelector("#paper tbody tr") as Element).breakInside,
  ]);
  expect(display).toBe("table-header-group");
  expect(breakInside).toBe("avoid");
});

test("the heading names the tab, the category and the search, and numbers have a column if there are any", async () => {
  await using board = await startBoard({ categoryNames: new Map([["1", "Dogs"]]) });
  await board.server.store.importPets([
    { id: 1, name: "Bella", categoryId: 1, status: "sold", reference: "chip-7" },
    { id: 2, name: "Bellamy", categoryId: 1, status: "sold" },
    { id: 3, name: "Bella", categoryId: 2, status: "sold" },
    { id: 4, name: "Rex", categoryId: 1, status: "sold" },
  ]);
  const page = await board.open({ view: "?status=sold&category=1&search=bella&order=name" });
  await expectCount(page, "2 animals");
  expect(await linesOf(page)).toEqual([
    "Adopted · Dogs · bella",
    "2 animals · today",
    "Name\tID\tCategory\tStatus\tYour number",
    "Bella\t1\tDogs\tAdopted\tchip-7",
    "Bellamy\t2\tDogs\tAdopted\t",
  ]);
});

test("after printing, nothing of it is left, and the place, the focus and the rows are as they were", async () => {
  await using board = await startBoard({ animals: 321 });
  const page = await board.open();
  await expectCount(page, "321 animals");
  await page.getByRole("searchbox").focus();
  await page.evaluate(() => scrollTo(0, 5_000));
  await untilDrawn(page);
  const shown = () =>
    page.evaluate(() => [scrollY, document.querySelector("ul.pets")?.textContent]);
  const before = await shown();
  await print(page);
  await untilDrawn(page);
  expect(await shown()).toEqual(before);
  await expectFocus(page.getByRole("searchbox"));
  expect(await page.locator("#paper").innerHTML()).toBe("");
});

test("dark colours are printed as dark text on white", async () => {
  await using board = await startBoard({ animals: 1 });
  const page = await openDetails(board, 1, { colorScheme: "dark" });
  const colours = await whilePrinted(page, () => [
    getComputedStyle(document.querySelector("#paper dd") as Element).color,
    getComputedStyle(document.querySelector("#paper dt") as Element).color,
    getComputedStyle(document.body).backgroundColor,
  ]);
  expect(colours).toEqual(["rgb(0, 0, 0)", "rgb(100, 92, 85)", "rgba(0, 0, 0, 0)"]);
});

test("the open details are printed on one page, and not the list", async () => {
  await using board = await startBoard({ categoryNames: new Map([["1", "Dogs"]]) });
  await board.server.store.importPets([
    { id: 1, name: "Bella", categoryId: 1, status: "pending", reference: "chip-7" },
  ]);
  await stock(board, 300);
  const page = await openDetails(board, 1);
  const fields = ["ID", "1", "Category", "Dogs", "Status", "Reserved", "Your number", "chip-7"];
  expect(await linesOf(page)).toEqual(["Bella", ...fields, "today"]);
  expect(await print(page)).toHaveLength(1);
});

test("without a user, the page is printed as it is", async () => {
  await using board = await startBoard({ animals: 1 });
  const page = await board.open({ apiKey: null });
  await expectShown(page.getByRole("button", { name: "Sign in", exact: true }));
  expect(await linesOf(page)).toContain("Sign in");
});

test.each([
  ["an animal with a number", "Bella", "chip-7", "chip-7"],
  ["an animal without one", "Bella", undefined, "#1"],
  ["texts of 255 characters", "W".repeat(255), "9".repeat(255), "9".repeat(255)],
  [
    "a name of several words",
    "Sir Barnaby Fluffington III, Duke of the Windowsill",
    undefined,
    "#1",
  ],
  ["an Arabic name", "ليلى", undefined, "#1"],
  ["a name that changes the direction", "\u202Eדובי", "٣", "٣"],
  ["a script with tall letters", "ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ་ ".repeat(9), undefined, "#1"],
  ["a name like HTML", "<b>&amp;</b>", undefined, "#1"],
] as const)("the label of %s is one page of 62 by 29 mm", async (_, name, reference, number) => {
  await using board = await startBoard({ categoryNames: new Map([["1", "Dogs"]]) });
  const pet = { id: 1, name, categoryId: 1, status: "available" } as const;
  await board.server.store.importPets([reference === undefined ? pet : { ...pet, reference }]);
  const page = await openDetails(board, 1);
  await pressLabel(page);
  const sizes = await print(page);
  expect(sizes.map((size) => size.map((points) => Math.round((points / 72) * 25.4)))).toEqual([
    [62, 29],
  ]);

  await pressLabel(page);
  const { texts, isCut } = await whilePrinted(page, () => {
    const label = document.querySelector("#paper > *") as Element;
    const parts = [...label.children];
    return {
      texts: parts.map(({ textContent }) => textContent),
      isCut: label.scrollHeight > label.clientHeight || label.scrollWidth > label.clientWidth,
    };
  });
  expect(texts).toEqual([name, number, "Dogs"]);
  expect(isCut).toBe(false);
});

test("after a label, the details are printed again", async () => {
  await using board = await startBoard({ animals: 1 });
  const page = await openDetails(board, 1, { locale: "de-DE" });
  await pressLabel(page, "Etikett drucken");
  expect(await whilePrinted(page, () => document.querySelector("#paper dl"))).toBeNull();
  expect(await linesOf(page)).toContain("Verfügbar");
});
