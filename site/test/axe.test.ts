import { violations } from "@petstore/test-chromium/axe";
import { launchChromium } from "@petstore/test-chromium/chromium";
import { isProof } from "@petstore/test-kit/endurance";
import { expect, inject, test } from "vitest";
import { pages } from "./site.ts";
import { startSite } from "./start-site.ts";

/** The proof looks at all pages, and every run at one of each kind. */
const looked = isProof
  ? pages
  : ["index.html", "http/createPet.html", "reference/client/int64.html", "cli/index.html"];

test.each([
  [390, "light"],
  [1440, "light"],
  [1440, "dark"],
] as const)("axe finds nothing, %i pixels wide, %s", async (width, colorScheme) => {
  await using site = await startSite();
  await using browser = await launchChromium(inject("directory"));
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme,
    reducedMotion: "reduce",
  });
  const found: Record<string, string[]> = {};
  for (const name of looked) {
    await page.goto(`${site.origin}/${name}`);
    found[name] = await violations(page);
  }
  expect(found).toEqual(Object.fromEntries(looked.map((name) => [name, []])));
});
