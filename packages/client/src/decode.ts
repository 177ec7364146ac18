import type { Decode } from "./request.ts";

export const int64Rule = "a 64-bit integer";

export function decodeList<Item>(decodeItem: Decode<Item>): Decode<Item[]> {
  return (body, fail) => {
    if (!Array.isArray(body)) return fail("body", "an array");
    return body.map((item, index) => decodeItem(item, (field, expected) => fail(`[${index}].${field}`, expected)));
  };
}
