import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDesktop } from "@petstore/test-kit/desktop";
import { onFreePort } from "@petstore/test-kit/free-port";
import { start, type Running } from "@petstore/test-servers/processes";
import { Builder, Key, type WebElement } from "selenium-webdriver";
import { find, untilFound, type Tab } from "./engine.ts";

/**
 * Settings of the toolkit that draws the browser: the toolbar of its window is narrower than a
 * phone, and nothing moves.
 */
const settings = {
  "gtk.css": "* { min-width: 0; padding: 0; margin: 0; border-width: 0; }",
  "settings.ini": "[Settings]\ngtk-enable-animations=0\n",
};

/**
 * The small browser of WebKit's driver, which cannot start without a display: Xvfb is one that
 * nobody sees.
 */
export async function openWebKit(
  driverProgram: string,
  displayProgram: string,
  desktop = openDesktop(),
): Promise<Tab> {
  await using resources = new AsyncDisposableStack();
  const { directory } = resources.use(desktop);
  mkdirSync(join(directory, "gtk-3.0"));
  for (const [name, content] of Object.entries(settings))
    writeFileSync(join(directory, "gtk-3.0", name), content);

  const screen = ["-screen", "0", "1600x1200x24", "-nolisten", "tcp"];
  const display = start(displayProgram, ["-displayfd", "1", ...screen], desktop);
  resources.defer(() => stop(display));
  const [, number = ""] = await display.printed(/(\d+)\n/); // the first that is free
  const environment = { ...desktop.environment, DISPLAY: `:${number}` };
  const driver = await onFreePort(async (port) => {
    const service = start(driverProgram, [`--port=${port}`], { directory, environment });
    resources.defer(() => stop(service));
    const builder = new Builder().usingServer(`http://127.0.0.1:${port}`);
    const session = untilFound(async () => {
      try {
        return await builder.withCapabilities({ browserName: "MiniBrowser" }).build();
      } catch (error) {
        // it does not listen yet, and prints nothing when it does
        if (!String(error).includes("ECONNREFUSED")) throw error;
        return undefined;
      }
    });
    const failed = service.ended.then(({ stderr }) =>
      Promise.reject(new Error(`WebKitWebDriver ended: ${stderr}`)),
    );
    return Promise.race([session, failed]);
  });
  resources.defer(() => driver.quit()); // ends the browser
  const element = (selector: string, name = "") =>
    untilFound(() => driver.executeScript<WebElement | null>(find, selector, name));

  const owned = resources.move();
  return {
    async open(address) {
      await driver.get(address);
      await driver.executeScript(recordErrors);
    },
    async resize(width, height) {
      const bars = await driver.executeScript<number>(() => outerHeight - innerHeight);
      await driver
        .manage()
        .window()
        .setRect({ x: 0, y: 0, width, height: height + bars });
      await untilFound(
        async () => (await driver.executeScript(() => innerWidth)) === width || undefined,
      );
      // It knows the new width before it draws with it.
      await driver.executeAsyncScript((done: () => void) =>
        requestAnimationFrame(() => requestAnimationFrame(() => done())),
      );
    },
    click: async (selector, name) => (await element(selector, name)).click(),
    async fill(selector, text) {
      const field = await element(selector);
      await field.clear();
      await field.sendKeys(text);
    },
    press: async (key) =>
      driver
        .actions()
        .sendKeys(key === "Enter" ? Key.ENTER : Key.ESCAPE)
        .perform(),
    print: () =>
      driver.executeScript<void>(() => {
        dispatchEvent(new Event("beforeprint"));
        dispatchEvent(new Event("afterprint"));
      }),
    run: (script, ...args) => driver.executeScript(script, ...args),
    errors: () => driver.executeScript<string[]>("return errorsOfPage"),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Ends a program so that it can tidy up, and waits for what it has started. */
async function stop(program: Running): Promise<void> {
  program.kill("SIGTERM");
  await program.ended;
}

/** Runs in the page: the driver reports no errors. Those before the page was loaded are missed. */
function recordErrors(): void {
  const errorsOfPage: string[] = [];
  Object.assign(globalThis, { errorsOfPage });
  addEventListener("error", ({ message }) => errorsOfPage.push(message));
  addEventListener("unhandledrejection", ({ reason }) => errorsOfPage.push(String(reason)));
  addEventListener("securitypolicyviolation", ({ violatedDirective }) =>
    errorsOfPage.push(violatedDirective),
  );
  Object.assign(console, { error: (...parts: unknown[]) => errorsOfPage.push(parts.join(" ")) });
}
