import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectShown, untilDrawn } from "../visitor.ts";
import { expectCount, startBoard } from "./board.ts";
import { choose } from "./spreadsheet.ts";
import { hardAnimals } from "./stocked-server.ts";

const smallest = -(2n ** 63n);

const wideName = `${"Wide ".repeat(9)}names`;

/** With every column, a mistake, and a word that the user has to explain. */
const sheet = [
  "Petstore ID\tName\tCategory\tStatus",
  `${smallest}\t${"W".repeat(255)}\t5\tReserved`,
  "\tBella\t9223372036854775807\tAvailable",
  "\t\t12\tAdopted",
  "\tMax\t7\tQuarantined",
].join("\n");

/**
 * What is drawn outside of the page, cut although it must be whole, or cannot be seen whole in a
 * dialog that scrolls.
 */
function faults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const found =
      scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide in ${clientWidth}`] : [];
    const whole = ".status, dd, button, h1, h2, .tabs a, label, .field-hint";
    for (const element of document.querySelectorAll(whole)) {
      const { left, right, width } = element.getBoundingClientRect();
      const { clip, clipPath } = getComputedStyle(element);
      if (width <= 1 || clipPath !== "none" || clip !== "auto") continue;
      if (element.closest(".preview")) continue; // which may scroll
      const name = `${element.className} ${element.textContent.slice(0, 30)}`;
      if (left < 0 || right > clientWidth) found.push(`outside: ${name}`);
      if (element.scrollWidth > element.clientWidth && element.clientWidth > 0)
        found.push(`cut: ${name}`);
    }
    for (const part of document.querySelectorAll(
      "dialog, dialog :not(textarea, .preview[tabindex='0'])",
    )) {
      const isWider = part.scrollWidth > part.clientWidth;
      if (isWider && /auto|scroll/.test(getComputedStyle(part).overflowX))
        found.push(`scrolls sideways: ${part.className}`);
    }
    // What is longer than its row is drawn over the next one.
    for (const row of document.querySelectorAll("li > .pet")) {
      if (row.scrollHeight > row.clientHeight)
        found.push(`too high: ${row.textContent.slice(0, 30)}`);
    }
    // The name of the board may be long.
    const parts = [
      ...document.querySelectorAll(".page-header :is(.brand, .tabs a, .header-actions button)"),
    ];
    const boxes = parts.map((part) => ({
      name: part.textContent,
      box: part.getBoundingClientRect(),
    }));
    for (const [index, { name, box }] of boxes.entries()) {
      for (const other of boxes.slice(index + 1)) {
        const isBeside = other.box.left >= box.right || other.box.right <= box.left;
        const isBelow = other.box.top >= box.bottom || other.box.bottom <= box.top;
        if (!isBeside && !isBelow) found.push(`covered: ${name} and ${other.name}`);
      }
    }
    for (const control of document.querySelectorAll(
      "dialog :is(input[type=text], textarea, .segments label, button)",
    )) {
      if (!control.checkVisibility()) continue;
      control.scrollIntoView({ block: "center" });
      const { left, right, top, bottom } = control.getBoundingClientRect();
      // corners are round
      const inset = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 4;
      const isWhole = [left + inset, right - inset].every((x) =>
        [top + inset, bottom - inset].every((y) =>
          control.contains(document.elementFromPoint(x, y)),
        ),
      );
      if (!isWhole) found.push(`covered: ${control.outerHTML}`);
    }
    const heights = new Set(
      [...document.querySelectorAll("li:has(> .pet)")].map(
        (row) => row.getBoundingClientRect().height,
      ),
    );
    if (heights.size > 1) found.push(`rows have ${heights.size} heights`);
    return found;
  });
}

/** The last two are a computer at 400 %, and a phone on its side. */
const sizes = [
  ...[320, 390, 768, 833, 1024, 1440, 2560].map((width) => ({ width, height: 900 })),
  { width: 360, height: 225 },
  { width: 844, height: 200 },
];

const usual = sizes.filter(({ width }) => [320, 768].includes(width));

/** What the reader may choose, and the widths to look at. */
const choices = [
  { language: "en", dir: "ltr", fontSize: "100%", seen: sizes },
  { language: "en", dir: "rtl", fontSize: "100%", seen: usual },
  { language: "en", dir: "ltr", fontSize: "200%", seen: usual },
  { language: "de", dir: "ltr", fontSize: "100%", seen: usual },
];

test("every size shows whole words in rows of one height and all of a dialog, and needs no sideways scrolling", async () => {
  await using board = await startBoard({
    boardName: wideName,
    categoryNames: new Map([["5", wideName]]),
  });
  await board.server.store.importPets(
    hardAnimals.map((animal, index) => ({
      ...animal,
      id: index === 0 ? smallest : animal.id,
      status: "available",
    })),
  );
  const page = await board.open();
  for (const [view, content, enter] of [
    ["", ".pet"],
    [`?pet=${smallest}`, "dialog dd"],
    ["?add=one", "dialog [name=name]"],
    ["?add=several", "dialog textarea"],
    ["?add=several", "dialog textarea", () => page.locator("dialog textarea").fill(sheet)],
    ["?add=several", "dialog textarea", () => choose(page, `${"long".repeat(20)}.csv`, sheet)],
  ] as const) {
    for (const { language, dir, fontSize, seen } of choices) {
      await page.evaluate((tag) => localStorage.setItem("petstore-language", tag), language);
      await page.goto("about:blank");
      await page.goto(board.url + view);
      await expectShown(page.locator(`html[lang=${language}] ${content}`).first());
      await enter?.();
      if (enter) await expectShown(page.locator("dialog details[open] ~ * .preview"));
      await page.evaluate(
        (chosen) => {
          document.documentElement.dir = chosen.dir;
          document.documentElement.style.fontSize = chosen.fontSize;
        },
        { dir, fontSize },
      );
      for (const size of seen) {
        await page.setViewportSize(size);
        await untilDrawn(page);
        expect
          .soft(await faults(page), [view, language, dir, fontSize, size.width].join(" "))
          .toEqual([]);
      }
    }
  }
});

test("turning a phone keeps the place, and the search stays in sight", async () => {
  await using board = await startBoard({ animals: 300 });
  const page = await board.open({
    viewport: { width: 844, height: 390 },
    hasTouch: true,
    isMobile: true,
  });
  await expectCount(page, "300 animals");
  await page.evaluate(() => scrollTo(0, 6_000));
  const first = () =>
    page.evaluate(() => {
      const under = document.querySelector(".list-tools")?.getBoundingClientRect().bottom ?? 0;
      const rows = [...document.querySelectorAll(".pets > li")];
      return rows.find((row) => row.getBoundingClientRect().top >= under - 1)?.querySelector("bdi")
        ?.textContent;
    });
  await untilDrawn(page);
  const before = await first();
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 844, height: 390 },
  ]) {
    await page.setViewportSize(viewport);
    await untilDrawn(page);
    await expect.poll(first).toBe(before);
    const top = (await page.getByRole("searchbox").boundingBox())?.y ?? -1;
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top).toBeLessThan(200);
  }
});

test("on a phone, the status does not cut the name of an animal, and targets are large enough for fingers", async () => {
  await using board = await startBoard();
  const statuses = ["available", "pending", "sold"] as const;
  await board.server.store.importPets(
    statuses.map((status, index) => ({
      id: BigInt(7_000 + index),
      name: "Pepper",
      categoryId: 18n,
      status,
    })),
  );
  const viewport = { width: 360, height: 780 };
  const page = await board.open({
    view: "?status=all",
    locale: "de-DE",
    viewport,
    hasTouch: true,
    isMobile: true,
  });
  await expectCount(page, "3 Tiere");
  await expectShown(page.getByRole("button", { name: "Reservieren: Pepper" }).first());
  const cut = await page
    .locator(".pet :is(.pet-name, .status)")
    .evaluateAll((parts) => parts.map(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth));
  expect(cut).toEqual(Array(6).fill(false));
  const small = await page.locator("button, .tabs a, .pet-link, select").evaluateAll((elements) =>
    elements.flatMap((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width === 0 || (height >= 44 && width >= 24)
        ? []
        : [`${element.textContent} ${width}x${height}`];
    }),
  );
  expect(small).toEqual([]);
});

test("nothing moves for users who want no motion", async () => {
  await using board = await startBoard({ animals: 3 });
  const page = await board.open({ reducedMotion: "no-preference" });
  const moving = () =>
    page.evaluate(() => {
      const parts = [undefined, "::before", "::after"];
      const styles = [...document.querySelectorAll("*")].flatMap((element) =>
        parts.map((part) => getComputedStyle(element, part)),
      );
      const animated = styles.filter(({ animationName }) => animationName !== "none").length;
      const fading = styles.filter(({ transitionDuration }) =>
        /[1-9]/.test(transitionDuration),
      ).length;
      return { animated, fading };
    });
  await page.getByRole("link", { name: /^Animal 1\b/ }).click();
  await expectShown(page.getByRole("dialog"));
  const { animated, fading } = await moving();
  expect(Math.min(animated, fading)).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await moving()).toEqual({ animated: 0, fading: 0 });
});

/** A colour of an element, as the system has replaced it. */
async function colourOf(
  element: Locator,
  property: "backgroundColor" | "borderBottomColor" | "outlineColor",
) {
  await expectShown(element);
  return element.evaluate((node, name) => getComputedStyle(node)[name], property);
}

test("high contrast shows which tab, category and status are chosen, and what has the focus", async () => {
  await using board = await startBoard({ animals: 3 });
  const page = await board.open({ view: "?pet=2&category=2" });
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  const details = page.getByRole("dialog", { name: "Animal 2", exact: true });
  const category = (name: string) =>
    page.getByRole("navigation", { name: "Categories" }).getByRole("link", { name });
  const tab = (name: string) =>
    page.getByRole("navigation", { name: "Status" }).getByRole("link", { name });
  const status = (name: string) => details.getByRole("button", { name });
  const surface = await colourOf(page.locator("body"), "backgroundColor");
  const highlight = await colourOf(status("Available"), "backgroundColor");
  expect(highlight).not.toBe(surface);
  expect(await colourOf(status("Reserved"), "backgroundColor")).not.toBe(highlight);
  expect(await colourOf(category("Category 2"), "backgroundColor")).toBe(highlight);
  expect(await colourOf(category("Category 1"), "backgroundColor")).not.toBe(highlight);
  expect(await colourOf(tab("Available"), "borderBottomColor")).not.toContain(surface);
  expect(await colourOf(tab("Reserved"), "borderBottomColor")).toBe(surface);

  await page.getByRole("button", { name: "Add animals" }).click();
  const form = page.getByRole("dialog", { name: "Add animals" });
  const choice = (name: string) => form.locator("label", { hasText: name });
  await form.getByRole("radio", { name: "Adopted" }).check();
  expect(await colourOf(choice("Adopted"), "backgroundColor")).toBe(highlight);
  expect(await colourOf(choice("Available"), "backgroundColor")).not.toBe(highlight);
  // The ring around what has the focus differs from what is chosen.
  await page.keyboard.press("ArrowLeft");
  expect(await colourOf(choice("Reserved"), "outlineColor")).not.toBe(highlight);
});
