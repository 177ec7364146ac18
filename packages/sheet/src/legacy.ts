// Node's decoder differs from the Encoding Standard in encodings with several bytes per character:
// its euc-kr reads 2,349 syllables wrongly, without an error. This one is right in Node, and the
// browser's own in a browser.
import { TextDecoder as Decoder } from "@exodus/bytes/encoding-browser.js";
import type { Encoding } from "./encodings.ts";

/** Decodes text of any encoding. What it cannot decode becomes U+FFFD. */
export function read(bytes: Uint8Array, encoding: Encoding): string {
  return new Decoder(encoding).decode(bytes);
}

/** Decodes text; `undefined` if some of it is not of this encoding. */
export function readAll(bytes: Uint8Array, encoding: Encoding): string | undefined {
  try {
    return new Decoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
