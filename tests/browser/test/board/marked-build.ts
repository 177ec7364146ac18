import { join } from "node:path";
import { root } from "@petstore/test-kit/checkout";
import type { Page } from "playwright-core";
import { build } from "vite";

const marks = `
function mark(value) {
  if (typeof value === "string") return "⟦" + value + "⟧";
  if (typeof value === "function") return (...parameters) => mark(value(...parameters));
  if (Array.isArray(value)) return value.map(mark);
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mark(part)]));
}
export const words = { ...mark(plain), language: plain.language };
`;

/** The script of the board, built with English texts in marks. A text without marks does not come from the language file. */
export async function buildMarked(): Promise<string> {
  const web = join(root, "apps/web");
  const built = await build({
    root: web,
    configFile: join(web, "vite.config.ts"),
    logLevel: "silent",
    build: { write: false },
    plugins: [
      {
        name: "mark-texts",
        enforce: "pre",
        transform: (code, id) =>
          id.endsWith("/words/en.ts") ? code.replace("export const words", "const plain") + marks : undefined,
      },
    ],
  });
  if (!("output" in built)) throw new Error("The build has more than one output");
  const script = built.output.find((file) => file.type === "chunk" && file.isEntry);
  if (script?.type !== "chunk") throw new Error("The build has no script");
  return script.code;
}

/** Texts on the page that do not come from the language file: without marks, and without what the service or the user wrote. */
export function foreignTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const data = "bdi, code, .tile, select, script, noscript, textarea";
    const found: string[] = [document.title.replace(" · Petstore", "")]; // without the name of the board
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Element) {
        for (const name of ["aria-label", "aria-valuetext", "aria-description", "title", "placeholder", "alt"]) {
          found.push(node.getAttribute(name) ?? "");
        }
      } else if (node.parentElement?.closest(data) === null) {
        found.push(node.textContent ?? "");
      }
    }
    return found.filter((text) => {
      let left = text;
      for (let before = ""; before !== left;) {
        before = left;
        left = left.replaceAll(/⟦[^⟦⟧]*⟧/g, "");
      }
      return /\p{L}/u.test(left);
    });
  });
}
