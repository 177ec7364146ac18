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
