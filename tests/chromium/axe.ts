import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** The rules of axe that the page breaks, each with the first element that does. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(axe.source);
  const found = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
