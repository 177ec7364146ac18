import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);

/** A browser file of the package. It is not exported, so this starts from an exported file next to its directory. */
export function scalarFile(name: string): URL {
  return new URL(`browser/${name}`, import.meta.resolve("@scalar/api-reference/style.css"));
}

/**
 * The program of the reference page, compressed with brotli: 1.1 MB. A build calls this and inlines the result, so that the bundle
 * needs no further files.
 */
export async function readScalar(): Promise<Buffer> {
  const program = await readFile(scalarFile("standalone.js"));
  return await compress(program, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}
