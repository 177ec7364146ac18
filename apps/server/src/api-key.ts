import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type { ApiKey } from "@petstore/service";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/**
 * The pattern of an API key, also for secret scanners: 32 random characters (190 bits), and a
 * checksum of everything before it.
 */
const keyPattern = /^pst_(?:live|test)_[0-9A-Za-z]{32}([0-9A-Za-z]{6})$/;

/** A new key: the record to store, and the secret to show once. */
export type IssuedKey = ReturnType<typeof issueKey>;

/** Creates a key. The caller stores its record under {@link hashSecret} of the secret. */
export function issueKey(options: Omit<ApiKey, "id" | "revokedAt">) {
  const unchecked = `pst_${options.kind}_${randomText(32)}`;
  return {
    key: { id: `key_${randomText(12)}`, ...options },
    secret: unchecked + checksum(unchecked),
  };
}

/**
 * Whether `text` has the form and the checksum of a key. Rejects noise without asking the store.
 */
export function isKeyForm(text: string): boolean {
  return keyPattern.exec(text)?.[1] === checksum(text.slice(0, -6));
}

/**
 * The SHA-256 of a secret, in hex, which is stored. One is enough: 190 random bits cannot be
 * guessed.
 */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let position = 0; position < 6; position++) {
    digits = base62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function randomText(length: number): string {
  return Array.from({ length }, () => base62.charAt(randomInt(62))).join("");
}
