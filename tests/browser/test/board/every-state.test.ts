import { isProof } from "@petstore/test-kit/endurance";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { violations } from "../axe.ts";
import { launchOnce } from "../visitor.ts";
import { kindOf, openState, states, type State } from "./every-state.ts";
import { buildMarked, foreignTexts } from "./marked-build.ts";
import { startStockedServer, type StockedServer } from "./stocked-server.ts";

const looks = [
  { width: 1280, colorScheme: "light" },
  { width: 320, colorScheme: "dark" },
  { width: 1280, colorScheme: "dark" },
  { width: 320, colorScheme: "light" },
] as const;

/** How to look at a state: each look at least once for each kind of state, and all of them in `pnpm proof`. */
function looksAt(name: string): readonly (typeof looks)[number][] {
  const alike = Object.keys(states).filter((each) => kindOf(each) === kindOf(name));
  const turns = Math.min(alike.length, looks.length);
  return looks.filter((_, index) => isProof || index % turns === alike.indexOf(name) % turns);
}

let server: StockedServer;
let script: string;
beforeAll(async () => {
  server = await startStockedServer();
  script = await buildMarked();
});
afterAll(() => server[Symbol.asyncDispose]());

test.each(Object.entries<State>(states))("accessible, and with texts of its language only: %s", async (name, state) => {
  const page = await openState(await launchOnce(), server, state, { script });
  for (const look of looksAt(name)) expect(await brokenRules(page, look)).toEqual([]);
  const isMarked = state.locale === undefined; // only English is
  expect(isMarked ? await foreignTexts(page) : []).toEqual([]);
  await page.context().close();
});

async function brokenRules(page: Page, { width, colorScheme }: (typeof looks)[number]): Promise<string[]> {
  await page.setViewportSize({ width, height: 720 });
  await page.emulateMedia({ colorScheme });
  const found = await violations(page);
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
