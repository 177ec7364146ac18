import { simplify } from "@petstore/contract/categories";
import { kindWords } from "./words.ts";

/**
 * The parts of a value that names the kind and the breed of an animal in one cell: `[Dog] Boxer`,
 * `Dog: Boxer`, `Dog - Boxer`.
 */
export interface Parts {
  /** As it is written, with its brackets. */
  beginning: string;
  rest: string;
}

/** Longer texts are descriptions. */
const maxLength = 100;

/**
 * In brackets at the start, or before a colon and a space, or before a dash between spaces.
 * `Cat/Dog` and `Guinea-Pig` are one word.
 */
const shapes = [
  /^(\[[^[\]]+\]|\([^()]+\))\s*(.+)$/s,
  /^([^:()[\]]+):\s(.+)$/s,
  /^([^()[\]]+?)\s[-–—]\s(.+)$/s,
];

/**
 * The parts of a value, or `undefined` if it has none, or if its rest may be the kind:
 * `Stray - Cat` is no stray beside `Stray - Dog`, and `Other - Rabbit` is perhaps a rabbit.
 */
export function splitKind(value: string): Parts | undefined {
  if (value.length > maxLength) return undefined;
  const [beginning = "", rest = ""] =
    shapes
      .find((shape) => shape.test(value))
      ?.exec(value)
      ?.slice(1) ?? [];
  if (!/\p{L}/u.test(beginning) || rest.trim() === "") return undefined;
  const kind = kindWords.get(simplify(beginning));
  const others = [rest, ...rest.split(/[^\p{L}\p{M}]+/u)].map((word) =>
    kindWords.get(simplify(word)),
  );
  const isCertain = others.every((other) => other === undefined || other === kind);
  return isCertain ? { beginning: beginning.trim(), rest: rest.trim() } : undefined;
}
