import { maskKey } from "./setting-definitions.ts";

/**
 * Masks a key in text that others wrote, such as a response that repeats the request: as it is, escaped for a URL or in JSON, and in
 * base64, where it may stand between other characters.
 */
export function redact(text: string, key: string): string {
  if (key === "") return text;
  const forms = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), ...base64Forms(key)];
  // The longest first: a form may be a part of another one.
  const found = [...new Set(forms)].filter((form) => form !== "").toSorted((left, right) => right.length - left.length);
  return found.reduce((masked, form) => masked.replaceAll(form, form.includes(key) ? maskKey(key) : "…"), text);
}

/** The characters of base64 that depend only on the key, for each of its three positions in a group of three bytes. */
function base64Forms(key: string): string[] {
  // The parts of a shorter key may stand in any text.
  if (key.length < 8) return [];
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.from("\0".repeat(before) + key);
    const end = Math.floor((bytes.length * 8) / 6);
    const start = Math.ceil((before * 8) / 6);
    return (["base64", "base64url"] as const).map((alphabet) => bytes.toString(alphabet).slice(start, end));
  });
}
