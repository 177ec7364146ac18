import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

export interface ReferenceFiles {
  /** The program, compressed with gzip. */
  program: Buffer;
  logo: string;
}

/**
 * The files of the reference page. A build calls this and inlines the result, so that the bundle
 * needs no further files.
 */
export async function readReference(): Promise<ReferenceFiles> {
  const program = await readFile(scalarFile("standalone.js"));
  return {
    program: await promisify(gzip)(program),
    logo: await readFile(new URL("../../../../brand/logo.svg", import.meta.url), "utf8"),
  };
}

/**
 * A browser file of the package. It is not exported, so this starts from an exported file next to
 * its directory.
 */
export function scalarFile(name: string): URL {
  return new URL(`browser/${name}`, import.meta.resolve("@scalar/api-reference/style.css"));
}
