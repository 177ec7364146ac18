import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { startDevelopmentServer, type DevelopmentServer } from "./development-server.ts";
import { openState, states } from "./every-state.ts";
import { launchOnce } from "./visitor.ts";

/** The rules that the page breaks: all of them, and those of colours in dark ones. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const rules = async (options: string): Promise<string[]> => {
    const { violations: found } = await page.evaluate<AxeResults>(`axe.run(${options})`);
    return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  };
  const broken = await rules("");
  await page.emulateMedia({ colorScheme: "dark" });
  broken.push(...(await rules('{ runOnly: ["color-contrast"] }')));
  await page.emulateMedia({ colorScheme: "light" });
  return broken;
}

let service: DevelopmentServer;
beforeAll(async () => {
  service = await startDevelopmentServer(mkdtempSync(join(inject("directory"), "service-")));
});
afterAll(() => service[Symbol.asyncDispose]());

test.each(Object.entries(states))("axe finds nothing to report: %s", async (_, state) => {
  const page = await openState(await launchOnce(), service, state);
  const wide = await violations(page);
  await page.setViewportSize({ width: 320, height: 700 });
  expect([...wide, ...(await violations(page))]).toEqual([]);
  await page.context().close();
});
