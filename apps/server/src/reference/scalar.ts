import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);

/**
 * The program of the reference page, compressed with brotli: 1.1 MB. A build calls this and puts the result in its place, so that
 * it has no files to bring along.
 */
export async function readScalar(): Promise<Buffer> {
  const style = import.meta.resolve("@scalar/api-reference/style.css"); // the package does not export the file beside it
  const program = await readFile(new URL("browser/standalone.js", style));
  return await compress(program, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}
