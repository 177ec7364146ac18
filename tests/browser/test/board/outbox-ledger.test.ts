import { changesOf } from "@petstore/server/start-server";
import { isProof } from "@petstore/test-kit/endurance";
import { eventually } from "@petstore/test-kit/eventually";
import type { ProxiedRequest, Proxy } from "@petstore/test-servers/proxy";
import * as fc from "fast-check";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { closeTab, duplicateTab, expectGone, expectShown, openTab } from "../visitor.ts";
import { add, openForm, signIn } from "./add-form.ts";
import {
  cut,
  expectCount,
  forward,
  keysOf,
  lose,
  only,
  startBoard,
  stored,
  type Board,
} from "./board.ts";

const animals = 4;

/** What people and their networks do. The number chooses a button, or a tab. */
type Step = readonly [
  "click" | "add" | "reload" | "open" | "duplicate" | "close" | "clear" | "wait" | "fault",
  number,
];

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(
    fc.oneof(
      { weight: 5, arbitrary: fc.constant("click" as const) },
      { weight: 2, arbitrary: fc.constantFrom("add" as const, "fault" as const, "wait" as const) },
      {
        weight: 4,
        arbitrary: fc.constantFrom(...(["reload", "open", "duplicate", "close", "clear"] as const)),
      },
    ),
    fc.nat(1_000),
  ),
  { minLength: 12, maxLength: 18 },
);

/** What the network does to a write. */
const faults: readonly Proxy["treat"][] = [
  forward,
  cut,
  lose,
  (request) => (void request.forward(), "cut"),
  () => ({ status: 429, headers: { "Retry-After": "2" }, body: "" }),
  () => ({ status: 503, headers: { "Retry-After": "2" }, body: "" }),
];

/** Presses one of the buttons that can be pressed. Returns whether there is one. */
function press(page: Page, choice: number): Promise<boolean> {
  return page.evaluate((number) => {
    const buttons = [
      ...document.querySelectorAll<HTMLElement>(".steps button:not([aria-disabled=true])"),
    ];
    const button = buttons[number % buttons.length];
    button?.click();
    return button !== undefined;
  }, choice);
}

const isWrite = ({ method }: ProxiedRequest): boolean => method === "POST" || method === "PATCH";

/** Opens one more tab, which is signed in with the key of the device. */
async function open(board: Board, page: Page): Promise<Page> {
  const tab = await openTab(page, `${board.url}?status=all`);
  await expectShown(tab.locator(".pets"));
  return tab;
}

/** Duplicates a tab. */
async function duplicate(tab: Page): Promise<Page> {
  const copy = await duplicateTab(tab);
  await expectShown(copy.locator(".pets"));
  return copy;
}

/**
 * Clears the data of the site from another page. The key is put back, without which each tab would
 * have to sign in again, and what closed tabs have left, which no tab has any more.
 */
async function clear(board: Board, tabs: readonly Page[]): Promise<void> {
  for (const tab of tabs) {
    await tab.evaluate(() => {
      const cleared = new Promise<void>((resolve) =>
        addEventListener("storage", ({ key }) => {
          if (key === null) resolve();
        }),
      );
      Object.assign(globalThis, { cleared });
    });
  }
  const other = await openTab(tabs[0] as Page, `${board.url}help`);
  await other.evaluate(async () => {
    const { held = [] } = await navigator.locks.query();
    const ofTabs = new Set(held.map(({ name }) => name));
    const others = Object.entries({ ...localStorage }).filter(([name]) => !ofTabs.has(name));
    localStorage.clear();
    for (const [name, item] of others) localStorage.setItem(name, item as string);
  });
  for (const tab of tabs) await tab.evaluate("cleared");
  await other.close();
}

/** How many writes the tabs have kept. */
async function countKept(tabs: readonly Page[]): Promise<number> {
  const texts = await Promise.all(
    tabs.map((tab) => tab.locator("#account button").last().textContent()),
  );
  return texts.reduce((sum, text) => sum + Number(/\d+/.exec(text ?? "") ?? 0), 0);
}

const seeds = fc.sample(steps, { numRuns: isProof ? 200 : 8, seed: 20_261_126 });

test.each(seeds.map((each, index) => [index + 1, each] as const))(
  "each click is stored once or stays with its reason, whatever happens: sequence %i",
  async (_, sequence) => {
    await using board = await startBoard({ animals });
    board.expectFailures(/^\S+ (?:PATCH|POST)/);
    /** The changes for which someone else was first, by key. */
    const overtaken = new Set<unknown>();
    let fault = 0;
    board.proxy.treat = only(isWrite, (request) =>
      (faults[fault % faults.length] ?? forward)({
        ...request,
        async forward() {
          const response = await request.forward();
          if (response.body.toString().includes('"status_changed"'))
            overtaken.add(request.headers["idempotency-key"]);
          return response;
        },
      }),
    );
    const first = await board.open({ apiKey: null, hasClock: true, view: "?status=all" });
    await signIn(first, board.server.apiKey, true);
    await expectCount(first, `${animals} animals`);
    let tabs = [first];
    let clicks = 0;
    const names: string[] = [];

    for (const [step, choice] of sequence) {
      const tab = tabs[choice % tabs.length] as Page;
      if (step === "click") clicks += Number(await press(tab, choice));
      if (step === "fault") fault = choice;
      if (step === "wait") await tab.clock.runFor(choice * 10);
      if (step === "open") tabs.push(await open(board, tab));
      if (step === "duplicate") tabs.push(await duplicate(tab));
      if (step === "clear") await clear(board, tabs);
      if (step === "reload" || step === "clear") await tab.reload();
      if (step === "close" && tabs.length > 1) {
        tabs = tabs.filter((each) => each !== tab);
        await closeTab(tab, tabs);
      }
      if (step === "add") {
        const form = await openForm(tab);
        names.push(`New ${names.length + 1}`);
        await add(form, names.at(-1) as string);
        await expectGone(form.dialog);
      }
    }

    fault = 0;
    tabs.push(await open(board, tabs[0] as Page)); // takes over what closed tabs have left
    await eventually(async () => {
      for (const tab of tabs) await tab.clock.runFor(1_000);
      if (keysOf(board, isWrite).length < clicks + names.length) return false;
      const saving = await Promise.all(tabs.map((tab) => tab.getByText(/^Saving/).count()));
      // What someone else was first with stays until it is read.
      return saving.every((count) => count === 0) && (await countKept(tabs)) === overtaken.size;
    });
    expect(keysOf(board, isWrite)).toHaveLength(clicks + names.length);
    const now = (await stored(board)).map(([name]) => name);
    expect(now).toHaveLength(animals + names.length);
    expect(now).toEqual(expect.arrayContaining(names));
    const changes = await Promise.all(
      now.map((_name, index) => changesOf(board.server.store, index + 1)),
    );
    expect(changes.flat()).toHaveLength(clicks - overtaken.size);
  },
);
