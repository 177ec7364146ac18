import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launchChromium } from "@petstore/test-chromium/chromium";
import { expect, inject, test } from "vitest";

const home = pathToFileURL(join(import.meta.dirname, "../dist/index.html")).href;

test.for([
  [390, 844, "light", "phone-light.png"],
  [390, 844, "dark", "phone-dark.png"],
  [1280, 800, "light", "board-light.png"],
  [1280, 800, "dark", "board-dark.png"],
] as const)(
  "the first screen of %i × %i in %s colours has what it is, the command, and the board in its real size",
  async ([width, height, colorScheme, picture]) => {
    await using browser = await launchChromium(inject("directory"));
    const page = await browser.newPage({ viewport: { width, height }, colorScheme });
    await page.goto(home);
    const board = page.getByRole("img", { name: "The board" });
    await expect.poll(() => board.evaluate((node: HTMLImageElement) => node.naturalWidth)).toBeGreaterThan(0);
    expect(await board.evaluate((node: HTMLImageElement) => node.currentSrc)).toMatch(new RegExp(`/${picture}$`));

    const bottomOf = async (text: string): Promise<number> => {
      const box = await page.getByText(text).first().boundingBox();
      return box === null ? Infinity : box.y + box.height;
    };
    expect(await bottomOf("The catalogue for animal shelters")).toBeLessThan(height / 2);
    expect(await bottomOf("npx pnpm@12 start")).toBeLessThan(height);
    const { y = Infinity, width: shown = 0 } = (await board.boundingBox()) ?? {};
    expect(y).toBeLessThan(height * 0.7);
    const [drawn] = picture.startsWith("phone") ? [390] : [1024]; // the viewport of the picture, in CSS pixels
    expect(shown / drawn).toBeGreaterThan(0.8); // smaller text cannot be read
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  },
);
