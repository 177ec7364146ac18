import { mkdirSync, mkdtempDisposableSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { root } from "@petstore/test-kit/checkout";
import { launchChromium } from "@petstore/test-kit/chromium";
import type { BrowserContextOptions } from "playwright-core";
import { openState, states, type State } from "../test/board/every-state.ts";
import { startStockedServer } from "../test/board/stocked-server.ts";

// Takes the pictures of the README. With --all [directory], takes every state of the board on three widths, in light and dark
// colours, to be looked at. --only takes the states whose names begin with a text.

const { values, positionals } = parseArgs({
  options: { all: { type: "boolean", default: false }, only: { type: "string", default: "" } },
  allowPositionals: true,
});

const widths = [390, 768, 1440];
const colorSchemes = ["light", "dark"] as const;

using directory = mkdtempDisposableSync(join(tmpdir(), "petstore-screenshots-"));
process.env["FONTCONFIG_FILE"] = writeFontSettings(directory.path);
await using server = await startStockedServer();
const browser = await launchChromium(directory.path);
await (values.all ? takeAll() : takeForReadme());
await browser.close();

async function takeForReadme(): Promise<void> {
  for (const colorScheme of colorSchemes) {
    const picture = await take(states.list, { colorScheme, viewport: { width: 1280, height: 800 } });
    writeFileSync(join(root, `docs/images/board-${colorScheme}.png`), picture);
  }
}

async function takeAll(): Promise<void> {
  const target = positionals[0] ?? mkdtempSync(join(tmpdir(), "petstore-board-"));
  mkdirSync(target, { recursive: true });
  for (const [name, state] of Object.entries(states).filter(([key]) => key.startsWith(values.only))) {
    for (const width of widths) {
      const viewport = { width, height: width < 600 ? 844 : 900 };
      const touch = width < 600 && { hasTouch: true, isMobile: true };
      for (const colorScheme of colorSchemes) {
        const picture = await take(state, { viewport, colorScheme, ...touch });
        writeFileSync(join(target, `${name}-${width}-${colorScheme}.png`), picture);
      }
    }
  }
  process.stdout.write(`${target}\n`);
}

async function take(state: State, options: BrowserContextOptions): Promise<Buffer> {
  const page = await openState(browser, server, state, options);
  const picture = await page.screenshot();
  await page.context().close();
  return picture;
}

/** Fonts like those of a common system. The shipped Chromium brings none with emoji. */
function writeFontSettings(path: string): string {
  const packages = ["@expo-google-fonts/inter", "@expo-google-fonts/noto-emoji"];
  const fonts = packages.map((name) => dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`))));
  const file = join(path, "fonts.conf");
  const settings = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  ${[...fonts, "/usr/share/fonts"].map((font) => `<dir>${font}</dir>`).join("\n  ")}
  <cachedir>${path}/fonts</cachedir>
  <alias><family>system-ui</family><prefer><family>Inter</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>Inter</family></prefer></alias>
</fontconfig>
`;
  writeFileSync(file, settings);
  return file;
}
