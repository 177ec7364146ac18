import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { scalarFile } from "./scalar.ts";

const compress = promisify(brotliCompress);

/** What the board and the site use, too. */
const brand = new URL("../../../../brand/", import.meta.url);

export interface ReferenceFiles {
  /** The program, compressed with brotli: 1.1 MB. */
  program: Buffer;
  /** The logo, compressed with brotli. */
  logo: Buffer;
  /** The style sheet with the colours, fonts and corners. */
  tokens: string;
}

/** The files of the reference page. A build calls this and inlines the result, so that the bundle needs no further files. */
export async function readReference(): Promise<ReferenceFiles> {
  const program = await readFile(scalarFile("standalone.js"));
  return {
    program: await compress(program, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    logo: await compress(await readFile(new URL("logo.svg", brand))),
    tokens: await readFile(new URL("tokens.css", brand), "utf8"),
  };
}
