import { globSync, readdirSync, readFileSync } from "node:fs";
import { join, parse } from "node:path";
import { root } from "@petstore/test-kit/checkout";

const built = join(root, "apps/web/built");

/** The bytes of the board's page. */
export const boardPage = readFileSync(join(built, "index.html"));

/** The bytes of its help in each language, by target. */
export const helpPages = new Map(
  globSync("help*.html", { cwd: built }).map((name) => [
    `/${parse(name).name}`,
    readFileSync(join(built, name)),
  ]),
);

/** The bytes of its other files, by target. */
export const boardFiles = new Map(
  readdirSync(join(built, "assets")).map((name) => [
    `/assets/${name}`,
    readFileSync(join(built, "assets", name)),
  ]),
);

const settings = / {4}<meta name="board-settings" content="([^"<>]*)" \/>\n/;

/** The settings that the server wrote into the page. */
export function settingsOf(page: Buffer): unknown {
  const [, content = ""] = settings.exec(page.toString()) ?? [];
  return JSON.parse(
    content.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  );
}

export function withoutSettings(page: Buffer): string {
  return page.toString().replace(settings, "");
}
