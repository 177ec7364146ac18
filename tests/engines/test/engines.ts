import type { Desktop } from "@petstore/test-kit/desktop";
import { installed } from "@petstore/test-kit/programs";
import { openFirefox } from "./firefox.ts";
import { openWebKit } from "./webkit.ts";

/**
 * The browsers of this machine, each with a function that opens a tab, by default on a desktop of
 * its own.
 */
export const engines = [
  // Every browser of an iPhone or iPad is WebKit.
  ...installed("WebKitWebDriver").flatMap((driver) =>
    installed("Xvfb").map(
      (display) => ["WebKit", (desktop?: Desktop) => openWebKit(driver, display, desktop)] as const,
    ),
  ),
  ...installed("firefox-esr").map(
    (program) => ["Firefox", (desktop?: Desktop) => openFirefox(program, desktop)] as const,
  ),
];
