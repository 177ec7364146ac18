import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

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

/** A browser file of the package. It is not exported, so this starts from an exported file next to its directory. */
export function scalarFile(name: string): URL {
  return new URL(`browser/${name}`, import.meta.resolve("@scalar/api-reference/style.css"));
}
