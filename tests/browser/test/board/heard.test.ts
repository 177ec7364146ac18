import type { CDPSession, Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectFocus, expectGone, expectShown, untilDrawn } from "../visitor.ts";
import { add, openForm } from "./add-form.ts";
import { cut, expectCount, isPatch, only, startBoard, stored, untilPoll } from "./board.ts";
import { addButton, paste } from "./spreadsheet.ts";

// What a screen reader gets. Whether one really speaks it is a proof of its own:
// tests/engines/test/screen-reader.proof.test.ts.

interface Heard {
  text: string;
  /** How many elements and texts came into the region at once. */
  parts: number;
}

/**
 * Notes what comes into places whose texts are spoken, as the accessibility tree of the browser
 * reports it: each time they have another text.
 */
async function listen(page: Page): Promise<() => Promise<Heard[]>> {
  await page.evaluate(() => {
    const heard: Heard[] = [];
    const places = "[role=status], [role=alert]";
    new MutationObserver((records) => {
      const came = new Map<Element, number>();
      for (const { target, addedNodes, type } of records) {
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue;
          for (const alert of [node, ...node.querySelectorAll("*")])
            if (alert.matches("[role=alert]")) came.set(alert, 1);
        }
        const element = target instanceof Element ? target : target.parentElement;
        const place = element?.closest(places);
        if (!place || place.ariaLive === "off") continue;
        const parts = type === "characterData" ? 1 : addedNodes.length;
        if (parts > 0) came.set(place, (came.get(place) ?? 0) + parts);
      }
      for (const [place, parts] of came)
        if (place.textContent !== "") heard.push({ text: place.textContent, parts });
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(globalThis, { heard });
  });
  return () => page.evaluate(() => Reflect.get(globalThis, "heard") as Heard[]);
}

/** What was heard but for the number of animals. */
const sentences = (heard: readonly Heard[]): Heard[] =>
  heard.filter(({ text }) => !/^[\d,]+ animals?$/.test(text));

const activeTag = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.activeElement?.tagName);

const rowOf = (page: Page, name: string) =>
  page.getByRole("link", { name: new RegExp(`^${name}\\b`) });

const sessionOf = (page: Page): Promise<CDPSession> => page.context().newCDPSession(page);

/** Presses Enter on a button, as somebody does who does not see the pointer. */
const pressEnter = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name }).first().press("Enter");

test.each([
  ["a reservation", [/^Reserve: Animal 3/], "Animal 3 is now Reserved."],
  ["its undo", [/^Reserve: Animal 3/, "Undo"], "Animal 3 is now Available."],
  [
    "the same step of an animal with the same name",
    [/^Reserve: Animal 3/, /^Reserve: Twin/, /^Reserve: Twin/],
    "Twin is now Reserved.",
  ],
])(
  "spoken once, in one part, without buttons, and the focus is on the row: %s",
  async (_, presses, text) => {
    await using board = await startBoard({ animals: 3 });
    await board.server.store.importPets(
      [4, 5].map((id) => ({ id, name: "Twin", categoryId: 1, status: "available" })),
    );
    const page = await board.open({ hasClock: true });
    await expectCount(page, "5 animals");
    const heard = await listen(page);
    for (const name of presses) {
      await page.clock.runFor(1_000);
      const before = sentences(await heard()).length;
      await pressEnter(page, name);
      await expect.poll(async () => sentences(await heard()).length).toBe(before + 1);
    }
    await untilDrawn(page);
    const all = sentences(await heard());
    expect(all).toHaveLength(presses.length);
    expect(all.at(-1)).toEqual({ text, parts: 1 });
    await expect.poll(() => activeTag(page)).toBe("A");
  },
);

test("a rejected change is spoken once, with what the animal is now, when that is known", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^409 PATCH/);
  const page = await board.open({ hasClock: true });
  await expectCount(page, "3 animals");
  const heard = await listen(page);
  await board.server.store.updatePet(2, { status: "sold" });
  await pressEnter(page, /^Reserve: Animal 2/);
  await expectShown(page.getByRole("alert"));
  await untilDrawn(page);
  const text = "Animal 2 → Reserved: Someone else changed it first: it is now Adopted.";
  expect(sentences(await heard())).toEqual([{ text, parts: 1 }]);
});

test("what is in the way is spoken once, however often it is tried again, and again after it was gone", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^net::ERR_CONNECTION_RESET/);
  const page = await board.open({ hasClock: true });
  await expectCount(page, "3 animals");
  const heard = await listen(page);
  const text = "The service does not respond. It may be restarting. The board keeps trying.";
  for (const times of [1, 2]) {
    board.proxy.treat = cut;
    await untilPoll(board, page);
    await expect
      .poll(async () => (await page.clock.runFor(1_000), sentences(await heard()).length))
      .toBe(times);
    await page.clock.runFor(20_000);
    board.proxy.treat = (request) => request.forward();
    await expect
      .poll(async () => (await page.clock.runFor(1_000), page.getByRole("alert").count()))
      .toBe(0);
  }
  expect(sentences(await heard())).toEqual([
    { text, parts: 1 },
    { text, parts: 1 },
  ]);
});

test("what a form has reported is not spoken again when the form closes", async () => {
  await using board = await startBoard();
  const page = await board.open();
  const form = await openForm(page);
  const heard = await listen(page);
  await form.dialog.getByLabel("Keep the form open for another animal").check();
  await add(form, "Rex");
  await expectShown(form.dialog.getByText("Rex was added as #1."));
  await page.keyboard.press("Escape");
  await expectGone(form.dialog);
  await expectShown(page.getByText("Rex was added as #1."));
  await untilDrawn(page);
  expect(sentences(await heard()).filter(({ text }) => text.startsWith("Rex"))).toEqual([
    { text: "Rex was added as #1.", parts: 1 },
  ]);
});

interface Node {
  nodeId: string;
  childIds?: string[];
  role?: { value: string };
  name?: { value: string };
  ignored?: boolean;
  properties?: { name: string; value: { value: unknown } }[];
}

/**
 * The roles of what is in the places whose texts are spoken, as the browser tells screen readers.
 */
export async function rolesInLivePlaces(page: Page): Promise<string[]> {
  const session = await sessionOf(page);
  const { nodes } = (await session.send("Accessibility.getFullAXTree")) as unknown as {
    nodes: Node[];
  };
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const isLive = ({ ignored, role }: Node): boolean =>
    ignored !== true && ["status", "alert"].includes(role?.value ?? "");
  const below = ({ childIds = [] }: Node): Node[] =>
    childIds.flatMap((id) => {
      const child = byId.get(id);
      return child ? [...(child.ignored === true ? [] : [child]), ...below(child)] : [];
    });
  const roles = nodes
    .filter(isLive)
    .flatMap((place) => below(place).map(({ role }) => role?.value ?? ""));
  await session.detach();
  return [...new Set(roles)].filter((role) => role !== "InlineTextBox");
}

test("the places whose texts are spoken have nothing but text", async () => {
  await using board = await startBoard({ animals: 3, scopes: ["read", "write", "remove"] });
  const page = await board.open({ hasClock: true });
  await expectCount(page, "3 animals");
  await pressEnter(page, /^Reserve: Animal 3/);
  await expectShown(page.getByText("Animal 3 is now Reserved."));
  expect(await rolesInLivePlaces(page)).toEqual(["StaticText"]);
  board.expectFailures(/^net::ERR_CONNECTION_RESET/);
  board.proxy.treat = only(isPatch, cut);
  await pressEnter(page, /^Reserve: Animal 2/);
  await expectShown(page.getByRole("button", { name: "Try again" }));
  expect(await rolesInLivePlaces(page)).toEqual(["StaticText"]);
  board.proxy.treat = (request) => request.forward();
  page.on("dialog", (dialog) => void dialog.accept());
});

test("after a removal, the focus is on the row in its place, and after the last one in the list", async () => {
  await using board = await startBoard({ animals: 3, scopes: ["read", "write", "remove"] });
  const page = await board.open();
  await expectCount(page, "3 animals");
  for (const [name, next] of [
    ["Animal 2", "Animal 1"],
    ["Animal 1", "Animal 3"],
  ] as const) {
    await rowOf(page, name).press("Enter");
    const details = page.getByRole("dialog", { name });
    await details.getByRole("button", { name: "Remove" }).press("Enter");
    await details.getByRole("button", { name: "Remove" }).press("Enter");
    await expectGone(rowOf(page, name));
    await expectFocus(rowOf(page, next));
  }
});

/**
 * Holds what the page does at its next frames, or within 50 ms, until it is told to go on: a slow
 * machine.
 */
async function holdFrames(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { requestAnimationFrame: request, setTimeout: start } = globalThis;
    const held: (() => void)[] = [];
    globalThis.requestAnimationFrame = (callback) => held.push(() => request(callback));
    globalThis.setTimeout = ((callback: () => void, ms = 0) =>
      ms > 50 ? start(callback, ms) : held.push(callback)) as typeof setTimeout;
    addEventListener("go-on", () => {
      Object.assign(globalThis, { requestAnimationFrame: request, setTimeout: start });
      for (const callback of held) callback();
    });
  });
  return () => page.evaluate(() => void dispatchEvent(new Event("go-on")));
}

test("after a removal that is stored before the next frame, the focus is on the row in its place", async () => {
  await using board = await startBoard({ animals: 3, scopes: ["read", "write", "remove"] });
  const page = await board.open();
  await expectCount(page, "3 animals");
  await rowOf(page, "Animal 2").press("Enter");
  const details = page.getByRole("dialog", { name: "Animal 2" });
  await details.getByRole("button", { name: "Remove" }).press("Enter");
  await expectFocus(details.getByRole("button", { name: "Cancel" }));
  const goOn = await holdFrames(page);
  await details.getByRole("button", { name: "Remove" }).press("Enter");
  await expectGone(rowOf(page, "Animal 2"));
  await goOn();
  await expectFocus(rowOf(page, "Animal 1"));
});

test.each(["Dismiss", "Undo"])("after %s, the focus is on the row of the animal", async (name) => {
  await using board = await startBoard({ animals: 3 });
  const page = await board.open({ hasClock: true });
  await expectCount(page, "3 animals");
  await pressEnter(page, /^Reserve: Animal 2/);
  await expectShown(page.getByText("Animal 2 is now Reserved."));
  await page.clock.runFor(1_000);
  await pressEnter(page, name);
  await expectFocus(rowOf(page, "Animal 2"));
});

test("after a choice about what is not saved, the focus is in the list, or at what is left", async () => {
  await using board = await startBoard({ animals: 3 });
  board.expectFailures(/^409 PATCH/);
  const page = await board.open({ hasClock: true });
  await expectCount(page, "3 animals");
  await board.server.store.updatePet(2, { status: "sold" });
  await pressEnter(page, /^Reserve: Animal 2/);
  await expectShown(page.getByRole("button", { name: "Dismiss" }));
  await page.clock.runFor(1_000);
  await pressEnter(page, "Dismiss");
  await expectFocus(rowOf(page, "Animal 2"));
});

test("what was added together is taken back with one press by a key that may remove, and spoken", async () => {
  await using board = await startBoard({ animals: 1, scopes: ["read", "write", "remove"] });
  const page = await board.open({ view: "?add=several" });
  await paste(page, "name,category\nBella,1\nMax,2\nMia,3", /^3 new animals/);
  await addButton(page).click();
  await expectShown(page.getByText("3 animals were added."));
  await board.server.store.updatePet(3, { status: "pending" });
  const heard = await listen(page);
  board.expectFailures(/^409 DELETE/);
  await page.getByRole("button", { name: "Undo" }).first().click();
  await expectShown(page.getByText("2 animals were removed.").first());
  expect(await stored(board)).toEqual([
    ["Animal 1", 1, "available"],
    ["Max", 2, "pending"], // somebody has reserved it
  ]);
  expect(sentences(await heard()).map(({ text }) => text)).toContain("2 animals were removed.");
});

test("without the right to remove, what was added together has no Undo", async () => {
  await using board = await startBoard({ animals: 1, scopes: ["read", "write"] });
  const page = await board.open({ view: "?add=several" });
  await paste(page, "name,category\nBella,1\nMax,2", /^2 new animals/);
  await addButton(page).click();
  await expectShown(page.getByText("2 animals were added."));
  expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
});
