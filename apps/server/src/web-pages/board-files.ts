import { readdir, readFile } from "node:fs/promises";
import { parse } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

// Found by path: a dependency would be circular, because the board uses the client, whose tests use
// the server.
const built = new URL("../../../web/built/", import.meta.url);

export interface BoardFiles {
  page: string;
  /** The pages of the help by name: `help` in English, `help.de` in German. */
  help: Record<string, string>;
  /** The other files by name, compressed with gzip. Vite names them by their content. */
  assets: Record<string, Buffer>;
}

/**
 * The built board. A build of the server calls this and inlines the result, so that the bundle
 * needs no further files.
 */
export async function readBoard(): Promise<BoardFiles> {
  const names = (await readdir(new URL("assets/", built))).toSorted();
  const assets = names.map(async (name) => [
    name,
    await compress(await readFile(new URL(`assets/${name}`, built))),
  ]);
  const pages = (await readdir(built)).filter((name) => name.startsWith("help")).toSorted();
  const help = pages.map(async (name) => [
    parse(name).name,
    await readFile(new URL(name, built), "utf8"),
  ]);
  return {
    page: await readFile(new URL("index.html", built), "utf8"),
    help: Object.fromEntries(await Promise.all(help)) as Record<string, string>,
    assets: Object.fromEntries(await Promise.all(assets)) as Record<string, Buffer>,
  };
}
