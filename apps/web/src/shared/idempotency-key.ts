/** A new idempotency key. `randomUUID` would be shorter, but browsers do not offer it to pages loaded over plain HTTP. */
export function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
