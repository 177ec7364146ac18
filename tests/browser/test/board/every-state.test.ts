import type { TestServer } from "@petstore/server/start-server";
import { isProof } from "@petstore/test-kit/endurance";
import { afterAll, beforeAll, expect, test } from "vitest";
import { violations } from "../axe.ts";
import { launchOnce, untilDrawn } from "../visitor.ts";
import { openState, states, type State } from "./every-state.ts";
import { buildMarked, foreignTexts } from "./marked-build.ts";
import { startStockedServer } from "./stocked-server.ts";

const looks = [
  { width: 1280, colorScheme: "light" },
  { width: 320, colorScheme: "dark" },
  { width: 1280, colorScheme: "dark" },
  { width: 320, colorScheme: "light" },
] as const;

let server: TestServer;
let script: string;
beforeAll(async () => {
  server = await startStockedServer();
  script = await buildMarked();
});
afterAll(() => server[Symbol.asyncDispose]());

const cases = Object.entries<State>(states).map(([name, state], index) => [name, index, state] as const);

test.each(cases)(
  "accessible, as wide as the window, and with texts of its language only: %s",
  async (_, index, state) => {
    const page = await openState(await launchOnce(), server, state, { script });
    for (const [look, { width, colorScheme }] of looks.entries()) {
      await page.setViewportSize({ width, height: 720 });
      await page.emulateMedia({ colorScheme });
      await untilDrawn(page);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      // A look for each state, and all of them in `pnpm proof`.
      if (!isProof && look !== index % looks.length) continue;
      expect(await violations(page)).toEqual([]);
    }
    expect(await foreignTexts(page)).toEqual([]);
    await page.context().close();
  },
);
