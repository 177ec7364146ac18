const decoder = new TextDecoder("utf-8", { fatal: true });

/** Text without its byte order mark. @throws {TypeError} when the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Whether a value is what JSON calls an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
