import { launchChromium } from "@petstore/test-chromium/chromium";
import { programsOf, programsWith } from "@petstore/test-kit/desktop";
import { expect, inject, onTestFinished, test, vi } from "vitest";

test("Chromium has no variable of the desktop on which the tests run", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("XDG_SESSION_ID", "of-a-person");
  const directory = inject("directory");
  await using browser = await launchChromium(directory);
  expect(browser.isConnected()).toBe(true);
  expect(programsOf(directory)).not.toEqual([]);
  expect(programsWith("XDG_SESSION_ID=of-a-person")).toEqual([]);
});
