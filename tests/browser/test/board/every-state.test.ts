import { basename, join } from "node:path";
import type { TestServer } from "@petstore/server/start-server";
import { violations } from "@petstore/test-chromium/axe";
import { root } from "@petstore/test-kit/checkout";
import { isProof } from "@petstore/test-kit/endurance";
import type { Page } from "playwright-core";
import { build, type Rolldown } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchOnce, untilDrawn } from "../visitor.ts";
import { openState, states, type Scripts, type State } from "./every-state.ts";
import { startStockedServer } from "./stocked-server.ts";

const looks = [
  { width: 1280, colorScheme: "light" },
  { width: 320, colorScheme: "dark" },
  { width: 1280, colorScheme: "dark" },
  { width: 320, colorScheme: "light" },
] as const;

const marks = `
function mark(value) {
  if (typeof value === "string") return "⟦" + value + "⟧";
  if (typeof value === "function") return (...parameters) => mark(value(...parameters));
  if (Array.isArray(value)) return value.map(mark);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mark(part)]));
}
export const words = { ...mark(plain), language: plain.language };
`;

let server: TestServer;
let scripts: Scripts;
beforeAll(async () => {
  server = await startStockedServer();
  scripts = await buildMarked();
});
afterAll(() => server[Symbol.asyncDispose]());

const cases = Object.entries<State>(states).map(
  ([name, state], index) => [name, index, state] as const,
);

test.each(cases)(
  "accessible, as wide as the window, and with texts of its language only: %s",
  async (_, index, state) => {
    const page = await openState(await launchOnce(), server, state, { scripts });
    for (const [look, { width, colorScheme }] of looks.entries()) {
      await page.setViewportSize({ width, height: 720 });
      await page.emulateMedia({ colorScheme });
      await untilDrawn(page);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      // A look for each state, and all of them in `pnpm proof`.
      if (!isProof && look !== index % looks.length) continue;
      expect(await violations(page)).toEqual([]);
    }
    expect(await foreignTexts(page)).toEqual([]);
    await page.context().close();
  },
);

/**
 * The scripts of the board, built with English texts in marks. A text without marks does not come
 * from the language file.
 */
async function buildMarked(): Promise<Scripts> {
  const built = await build({
    root: join(root, "apps/web"),
    logLevel: "silent",
    build: { write: false },
    plugins: [
      {
        name: "mark-texts",
        enforce: "pre",
        transform: (code, id) =>
          id.endsWith("/words/en.ts")
            ? code.replace("export const words", "const plain") + marks
            : undefined,
      },
    ],
  });
  const { output } = built as Rolldown.RolldownOutput;
  const codes = output.flatMap((chunk) =>
    chunk.type === "chunk" ? [[basename(chunk.fileName), chunk.code] as const] : [],
  );
  return { entry: basename(output[0].fileName), codes: new Map(codes) };
}

/**
 * Texts on the page that do not come from the language file: without marks, and without what the
 * service or the user wrote.
 */
function foreignTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const data = "bdi, code, .tile, select, script, noscript, textarea";
    // without the name of the board
    const found: string[] = [document.title.replace(" · Petstore", "")];
    const walker = document.createTreeWalker(
      document.body,
      NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
    );
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element) {
        for (const name of [
          "aria-label",
          "aria-valuetext",
          "aria-description",
          "title",
          "placeholder",
          "alt",
        ]) {
          found.push(node.getAttribute(name) ?? "");
        }
      } else if (node.parentElement?.closest(data) === null) {
        found.push(node.textContent ?? "");
      }
    }
    // Texts contain others.
    const inner = /⟦[^⟦⟧]*⟧/;
    const withoutMarks = (text: string): string =>
      inner.test(text) ? withoutMarks(text.replace(inner, "")) : text;
    return found.filter((text) => /\p{L}/u.test(withoutMarks(text)));
  });
}
