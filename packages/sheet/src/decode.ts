import type { Encoding } from "./encodings.ts";
import type { Candidate } from "./guess.ts";
import { findOddLines } from "./odd-lines.ts";

/** How a file was decoded. */
export interface Decoding {
  /** `undefined` if it was not decoded, or if several encodings read its names equally well. */
  encoding?: Encoding;
  /** Whether the bytes themselves do not decide, so that a person should look at the names. */
  isUnsure: boolean;
  /** The few encodings that fit, the likeliest first. */
  candidates?: readonly Candidate[];
  /** The first line that is not UTF-8, if most others are. */
  oddLine?: number;
}

export interface Decoded extends Decoding {
  text: string;
}

/**
 * Decodes the text of a file. An encoding without a mark is guessed, unless a person has chosen
 * one.
 */
export async function decode(bytes: Uint8Array, chosen?: Encoding): Promise<Decoded> {
  const marked = chosen ?? markOf(bytes);
  if (marked !== undefined)
    return { text: await read(bytes, marked), encoding: marked, isUnsure: false };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // The escapes before Kanji, in text of seven bits: nobody else writes them.
    const isJapanese =
      ["\u001b$@", "\u001b$B"].some((escape) => text.includes(escape)) &&
      text.length === bytes.length;
    return isJapanese
      ? await decode(bytes, "iso-2022-jp")
      : { text, encoding: "utf-8", isUnsure: false };
  } catch {
    return await decodeUnknown(bytes);
  }
}

async function decodeUnknown(bytes: Uint8Array): Promise<Decoded> {
  const { guess } = await import("./guess.ts");
  const { readAll } = await import("./legacy.ts");
  const odd = findOddLines(bytes);
  if (odd) {
    const { candidates } = guess(odd.bytes);
    return {
      text: await read(bytes, "utf-8"),
      encoding: "utf-8",
      isUnsure: true,
      candidates,
      oddLine: odd.first,
    };
  }
  const { proposed, candidates } = guess(bytes);
  // Names that are not looked at may have what the encoding does not.
  const text = proposed === undefined ? undefined : readAll(bytes, proposed);
  if (text !== undefined && proposed !== undefined)
    return { text, encoding: proposed, isUnsure: true, candidates };
  const shown = candidates[0]?.encoding ?? "windows-1252";
  return { text: await read(bytes, shown), isUnsure: true, candidates };
}

/** Decodes text. Other decoders than that of Unicode are loaded only if they are needed. */
async function read(bytes: Uint8Array, encoding: Encoding): Promise<string> {
  if (encoding.startsWith("utf-")) return new TextDecoder(encoding).decode(bytes);
  const legacy = await import("./legacy.ts");
  return legacy.read(bytes, encoding);
}

/** The encoding that a mark at the beginning shows. */
function markOf([first, second]: Uint8Array): Encoding | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}
