import { launchChromium } from "@petstore/test-chromium/chromium";
import { expect, inject, onTestFinished, test, vi } from "vitest";

test("Chromium has no variable of the desktop on which the tests run, such as its time zone", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("TZ", "Antarctica/Troll");
  await using browser = await launchChromium(inject("directory"));
  const page = await browser.newPage();
  expect(await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)).not.toBe(
    "Antarctica/Troll",
  );
});
