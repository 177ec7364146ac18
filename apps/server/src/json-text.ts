import { maxBodyDepth } from "@petstore/contract";

/** JSON that is text already. The writer sends it as it is. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Stored JSON, to answer with instead of the value that it stands for. */
export function jsonText(text: string): unknown {
  return new JsonText(text);
}

/** Whether JSON text nests deeper than {@link maxBodyDepth}. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  // An unfinished string matches too: it would be scanned again from each of its quotes.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.?)*"?|[[{\]}]/gs)) {
    if (token === "[" || token === "{") depth++;
    else if (token === "]" || token === "}") depth--;
    if (depth > maxBodyDepth) return true;
  }
  return false;
}
