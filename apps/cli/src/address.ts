/** One address in one form, however it is written. What is none stays as it is. */
export function normalizeAddress(text: string): string {
  return URL.canParse(text) ? new URL(text).href.replace(/\/$/, "") : text;
}

/** Whether an address is on this machine. */
export function isLoopback(address: string): boolean {
  return URL.canParse(address) && /^(?:127(?:\.\d+){3}|\[::1\]|localhost)$/.test(new URL(address).hostname);
}
