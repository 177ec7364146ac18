import { encodings, type Encoding } from "./encodings.ts";
import { readAll } from "./legacy.ts";
import { bitsOf, wideBitsOf } from "./likelihood.ts";

/** How an encoding would read the first names of a file. */
export interface Candidate {
  encoding: Encoding;
  samples: string[];
}

export interface Guess {
  /**
   * The encoding whose text reads like names; `undefined` if there is none, or if another one fits
   * as well.
   */
  proposed?: Encoding;
  /** The few that fit, the best first. */
  candidates: Candidate[];
}

/**
 * How much of a file is looked at: names are short, and every encoding is compared with every
 * language.
 */
const maxBytes = 8_000;
const maxCellBytes = 200;
const maxCandidates = 5;
const sampleCount = 3;

/** How many bits less than the next one the proposed encoding takes. */
const leastMargin = 12;
/** Text of more bits for each byte does not read like names. */
const mostBits = 7.5;
/** How many bits more than the best one an encoding may take, for each cell. */
const mostDistance = 15;

/**
 * Encodings that files hardly have any more. They are proposed only if their text is far more
 * likely.
 */
const isRare = (encoding: Encoding): boolean =>
  encoding.startsWith("iso-8859") || encoding.startsWith("x-mac");
/** Encodings of which there are many files. */
const usual: readonly Encoding[] = [
  "windows-1250",
  "windows-1251",
  "windows-1254",
  "shift_jis",
  "gb18030",
  "big5",
  "euc-kr",
];

/** The bits that an encoding takes before its text. */
function priorOf(encoding: Encoding): number {
  if (encoding === "windows-1252") return 0;
  if (isRare(encoding)) return 16;
  return usual.includes(encoding) ? 3 : 6;
}

interface Scored extends Candidate {
  bits: number;
}

/** Compares how the encodings read the cells beyond ASCII. */
export function guess(bytes: Uint8Array): Guess {
  const cells = cellsOf(bytes);
  const all = cells.length === 0 ? [] : score(cells);
  const [best, next] = all;
  if (!best) return { candidates: [] };
  const length = cells.reduce((sum, cell) => sum + cell.length, 0);
  const fitting = all.filter(({ bits }) => bits <= best.bits + mostDistance * cells.length);
  const isNames = best.bits <= mostBits * length + priorOf(best.encoding);
  const isAlone = next === undefined || next.bits - best.bits >= leastMargin;
  return {
    ...(isNames && isAlone && { proposed: best.encoding }),
    candidates: fitting
      .slice(0, maxCandidates)
      .map(({ encoding, samples }) => ({ encoding, samples })),
  };
}

/** The different readings of cells, the likeliest first. */
function score(cells: readonly Uint8Array[]): Scored[] {
  const joined = join(cells);
  const readings = new Map<string, Scored>();
  for (const encoding of encodings) {
    if (encoding.startsWith("utf-") || encoding === "gbk") continue; // gbk is read as gb18030
    const text = readAll(joined, encoding);
    if (text === undefined || text.split("\n").some(isImpossible)) continue;
    const texts = text.split("\n");
    const bits = (wideBitsOf(encoding, cells, texts) ?? bitsOf(texts)) + priorOf(encoding);
    const earlier = readings.get(text);
    if (earlier === undefined || bits < earlier.bits)
      readings.set(text, { encoding, bits, samples: texts.slice(0, sampleCount) });
  }
  return [...readings.values()].toSorted((one, other) => one.bits - other.bits);
}

/** Controls, private characters and those that do not exist are in no name. */
function isImpossible(text: string): boolean {
  return /[\p{Cc}\p{Co}\p{Cn}]/u.test(text);
}

const separators = new Set(Array.from('\t\r\n,;"', (character) => character.charCodeAt(0)));

/**
 * The different cells beyond ASCII. No character of several bytes has a byte of a separator, but
 * `|` in rare ones.
 */
function cellsOf(bytes: Uint8Array): Uint8Array[] {
  const cells = new Map<string, Uint8Array>();
  let length = 0;
  let begin = 0;
  let isBeyond = false;
  for (let at = 0; at <= bytes.length && length < maxBytes; at += 1) {
    const byte = bytes[at];
    if (byte !== undefined && !separators.has(byte)) {
      isBeyond ||= byte >= 0x80;
      continue;
    }
    if (isBeyond && at - begin <= maxCellBytes) {
      const cell = bytes.subarray(begin, at);
      if (!cells.has(cell.join())) length += cell.length;
      cells.set(cell.join(), cell);
    }
    begin = at + 1;
    isBeyond = false;
  }
  return [...cells.values()];
}

function join(cells: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(cells.flatMap((cell, at) => (at === 0 ? [...cell] : [0x0a, ...cell])));
}
