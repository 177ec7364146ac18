import { eventually } from "@petstore/test-kit/eventually";
import type { BrowserContext, Locator } from "playwright-core";

/** What Playwright's clock replaces, and pages need while it stands still. */
interface Immediate {
  requestAnimationFrame: typeof requestAnimationFrame;
  cancelAnimationFrame: typeof cancelAnimationFrame;
  setTimeout: (callback: () => void, delayMs?: number, ...rest: unknown[]) => number;
  clearTimeout: (id?: number) => void;
}

/**
 * Stops the clock of pages that will be opened: dates stand still, and timers wait until the clock
 * is moved. Frames are drawn, and timers without a delay fire.
 */
export async function stopClock(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const { requestAnimationFrame, cancelAnimationFrame, setTimeout, clearTimeout } = globalThis;
    Object.assign(globalThis, {
      native: { requestAnimationFrame, cancelAnimationFrame, setTimeout, clearTimeout },
    });
  });
  const now = Date.now();
  await context.clock.install({ time: now });
  await context.clock.pauseAt(now);
  await context.addInitScript(() => {
    const {
      setTimeout: hold,
      clearTimeout: drop,
      native,
    } = globalThis as unknown as Immediate & { native: Immediate };
    const { requestAnimationFrame, cancelAnimationFrame, setTimeout, clearTimeout } = native;
    const immediate: Immediate = {
      requestAnimationFrame,
      cancelAnimationFrame,
      setTimeout: (callback, delayMs = 0, ...rest) =>
        (delayMs > 0 ? hold : setTimeout)(callback, delayMs, ...rest),
      clearTimeout(id) {
        drop(id);
        clearTimeout(id);
      },
    };
    Object.assign(globalThis, immediate);
  });
}

/**
 * Moves the clock of the page until an element is shown. The page may set a timer only after it has
 * been drawn, so one move may not do.
 */
export async function expectShownInTime(element: Locator, stepMs = 250): Promise<void> {
  const { clock } = element.page();
  await eventually(async () => (await element.isVisible()) || (await clock.runFor(stepMs), false));
}
