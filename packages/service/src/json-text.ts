import { stringifyJson } from "@petstore/contract/int64";

/** Stored JSON, to respond with instead of the value that it stands for. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The body of a response as text. */
export function toText(body: unknown): string {
  return body instanceof JsonText ? body.text : stringifyJson(body);
}
