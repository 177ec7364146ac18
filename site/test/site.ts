import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

export const dist = join(import.meta.dirname, "../dist");

/** Every page of the built site. */
export const pages = globSync("**/*.html", { cwd: dist }).filter((page) => page !== "404.html");

export function read(file: string): string {
  return readFileSync(join(dist, file), "utf8");
}

/** What a reader sees of HTML. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<\/(?:p|li|h\d|td|div)>/g, "\n")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
