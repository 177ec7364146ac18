import { openDesktop } from "@petstore/test-kit/desktop";
import { launch, type ElementHandle } from "puppeteer-core";
import { find, untilFound, type Tab } from "./engine.ts";

/**
 * Firefox without a window. It speaks WebDriver BiDi itself: Debian has no geckodriver, which older
 * libraries need.
 */
export async function openFirefox(program: string, desktop = openDesktop()): Promise<Tab> {
  await using resources = new AsyncDisposableStack();
  const { directory, environment } = resources.use(desktop);
  const browser = await launch({
    browser: "firefox",
    executablePath: program,
    userDataDir: directory,
    env: environment,
    extraPrefsFirefox: { "ui.prefersReducedMotion": 1, "intl.locale.requested": "en-US" },
  });
  resources.defer(() => browser.close());
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  const element = async (selector: string, name = "") =>
    untilFound(
      async () =>
        (await page.evaluateHandle(find, selector, name)).asElement() as ElementHandle | null,
    );

  const owned = resources.move();
  return {
    open: async (address) => void (await page.goto(address)),
    resize: (width, height) => page.setViewport({ width, height }),
    click: async (selector, name) => (await element(selector, name)).click(),
    async fill(selector, text) {
      const field = await element(selector);
      await field.evaluate((input) => (input as HTMLInputElement).select());
      await field.type(text);
    },
    press: (key) => page.keyboard.press(key),
    print: async () => void (await page.pdf()),
    run: async (script, ...args) =>
      (await page.evaluate(script as never, ...args)) as Awaited<ReturnType<typeof script>>,
    errors: () => Promise.resolve(errors),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
