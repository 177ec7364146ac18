import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { scalarFile } from "./scalar.ts";

export interface ReferenceFiles {
  /** The program, compressed with brotli: 1.1 MB. */
  program: Buffer;
  logo: string;
}

/** The files of the reference page. A build calls this and inlines the result, so that the bundle needs no further files. */
export async function readReference(): Promise<ReferenceFiles> {
  const program = await readFile(scalarFile("standalone.js"));
  return {
    program: await promisify(brotliCompress)(program, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    logo: await readFile(new URL("../../../../brand/logo.svg", import.meta.url), "utf8"),
  };
}
