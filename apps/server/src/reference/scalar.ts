import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);

/** A file of the package for browsers. The package does not export it, but what is beside its directory. */
export function scalarFile(name: string): URL {
  return new URL(`browser/${name}`, import.meta.resolve("@scalar/api-reference/style.css"));
}

/**
 * The program of the reference page, compressed with brotli: 1.1 MB. A build calls this and puts the result in its place, so that
 * it has no files to bring along.
 */
export async function readScalar(): Promise<Buffer> {
  const program = await readFile(scalarFile("standalone.js"));
  return await compress(program, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}
