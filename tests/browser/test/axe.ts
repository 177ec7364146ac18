import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** The rules of axe that the page breaks: of those with a tag or a name, or of all. */
export async function violations(page: Page, runOnly?: readonly string[]): Promise<AxeResults["violations"]> {
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(axe.source);
  const options = JSON.stringify({ resultTypes: ["violations"], ...(runOnly && { runOnly }) });
  const { violations: found } = await page.evaluate<AxeResults>(`axe.run(${options})`);
  return found;
}
