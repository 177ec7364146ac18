import { isProof } from "@petstore/test-kit/endurance";
import { eventually } from "@petstore/test-kit/eventually";
import type { Outcome, ProxiedRequest } from "@petstore/test-servers/proxy";
import * as fc from "fast-check";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectGone, expectShown, openTab } from "../visitor.ts";
import { add, openForm, signIn } from "./add-form.ts";
import { expectCount, startBoard, type Board } from "./board.ts";

const animals = 4;

/** What people and their networks do. The number chooses a button, or a tab. */
type Step = readonly ["click" | "add" | "reload" | "open" | "close" | "wait" | "fault", number];

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(
    fc.oneof(
      { weight: 6, arbitrary: fc.constant("click" as const) },
      { weight: 2, arbitrary: fc.constantFrom("add" as const, "fault" as const, "wait" as const) },
      { weight: 1, arbitrary: fc.constantFrom("reload" as const, "open" as const, "close" as const) },
    ),
    fc.nat(1_000),
  ),
  { minLength: 10, maxLength: 14 },
);

/** What the network does to a write. Those that reach the server write into the ledger. */
const faults: readonly ((request: ProxiedRequest, ledger: Ledger) => Promise<Outcome>)[] = [
  async (request, ledger) => ledger.pass(request),
  async () => "cut",
  async (request, ledger) => (await ledger.pass(request), "cut"),
  async (request, ledger) => (void ledger.pass(request), "cut"),
  async () => ({ status: 429, headers: { "Retry-After": "2" }, body: "" }),
  async () => ({ status: 503, headers: { "Retry-After": "2" }, body: "" }),
];

/** What the service has made of each key, whether or not its response has arrived. */
class Ledger {
  readonly keys = new Set<string>();
  /** Changes and new animals that were stored. */
  readonly stored = new Map<string, ProxiedRequest>();
  /** Changes for which someone else was first. */
  readonly overtaken = new Set<string>();

  note(request: ProxiedRequest): void {
    this.keys.add(keyOf(request));
  }

  async pass(request: ProxiedRequest): Promise<Outcome> {
    const response = await request.forward();
    if (response.status < 300) this.stored.set(keyOf(request), request);
    if (response.body.toString().includes('"status_changed"')) this.overtaken.add(keyOf(request));
    return response;
  }
}

const keyOf = ({ headers }: ProxiedRequest): string => String(headers["idempotency-key"]);

/** Presses one of the buttons that can be pressed. Returns whether there is one. */
function press(page: Page, choice: number): Promise<boolean> {
  return page.evaluate((number) => {
    const buttons = [...document.querySelectorAll<HTMLElement>(".steps button:not([aria-disabled=true])")];
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

/** How many writes a tab has kept. */
async function unsaved(tab: Page): Promise<number> {
  const text = await tab.locator("#account button").last().textContent();
  return Number(/\d+/.exec(text ?? "") ?? 0);
}

const countSaving = (tab: Page): Promise<number> => tab.getByText(/^Saving/).count();

async function sumOf(tabs: readonly Page[], count: (tab: Page) => Promise<number>): Promise<number> {
  const counts = await Promise.all(tabs.map(count));
  return counts.reduce((sum, each) => sum + each, 0);
}

const seeds = fc.sample(steps, { numRuns: isProof ? 200 : 8, seed: 20_261_126 });

test.each(seeds.map((each, index) => [index + 1, each] as const))(
  "each click is stored once or stays with its reason, whatever happens: sequence %i",
  async (_, sequence) => {
    await using board = await startBoard({ animals });
    board.expectFailures(/^\S+ (?:PATCH|POST)/);
    const ledger = new Ledger();
    let fault = 0;
    board.proxy.treat = async (request) => {
      if (!isWrite(request)) return request.forward();
      ledger.note(request);
      const treatment = faults[fault % faults.length] as (typeof faults)[number];
      return treatment(request, ledger);
    };
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
      if (step === "reload") await tab.reload();
      if (step === "close" && tabs.length > 1) {
        await tab.close();
        tabs = tabs.filter((each) => each !== tab);
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
      if (ledger.keys.size < clicks + names.length) return false;
      const [saving, kept] = [await sumOf(tabs, countSaving), await sumOf(tabs, unsaved)];
      // What someone else was first with stays until it is read.
      return saving === 0 && kept === ledger.overtaken.size;
    });
    const { body } = await board.server.call("/pets?limit=100");
    const stored = body as { id: number; name: string; status: string }[];

    expect(stored.slice(animals).map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    expect(stored).toHaveLength(animals + names.length);
    expect([ledger.stored.size, ledger.stored.size + ledger.overtaken.size]).toEqual([
      ledger.keys.size - ledger.overtaken.size,
      clicks + names.length,
    ]);
    for (const { id, status } of stored.slice(0, animals)) expect([id, status]).toEqual([id, endOf(ledger, id)]);
  },
);

/** The status of an animal after every change that the service has confirmed once. */
function endOf(ledger: Ledger, id: number): string | undefined {
  const balance = new Map([["available", 1]]);
  for (const { method, target, body } of ledger.stored.values()) {
    const { pathname, searchParams } = new URL(target, "http://localhost");
    if (method !== "PATCH" || !pathname.endsWith(`/pets/${id}`)) continue;
    const [from, to] = [String(searchParams.get("ifStatus")), (JSON.parse(body) as { status: string }).status];
    balance.set(from, (balance.get(from) ?? 0) - 1);
    balance.set(to, (balance.get(to) ?? 0) + 1);
  }
  return [...balance].find(([, count]) => count === 1)?.[0];
}
