/** Shorter keys are not masked in text: their characters may stand in any word. */
const minLength = 8;

/** Enough of a key to recognise it. */
export function maskKey(key: string): string {
  return key.length > 24 ? `${key.slice(0, 9)}…${key.slice(-4)}` : "…";
}

/** Masks a key in text that others wrote, such as a response that repeats the request. */
export function redact(text: string, key: string): string {
  return key.length < minLength ? text : text.replaceAll(key, maskKey(key));
}
