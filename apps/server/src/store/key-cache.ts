import type { ApiKey } from "./store.ts";

/** Remembers keys for a moment, so that a request need not ask the database who sends it. */
export interface KeyCache {
  find(hash: Uint8Array): Promise<ApiKey | undefined>;
  /** Forgets everything: some key has changed. */
  clear(): void;
}

/** A revocation holds everywhere within a second, also where nobody hears of it. */
const maxAgeMs = 900;

/** Beyond them everything is forgotten. So many keys are not in use within a second. */
const maxKeys = 10_000;

/** @param load asks the database. Unknown keys are not remembered: there are too many of them. */
export function createKeyCache(load: (hash: Uint8Array) => Promise<ApiKey | undefined>): KeyCache {
  let keys = new Map<string, { key: Promise<ApiKey | undefined>; staleAt: number }>();

  return {
    async find(hash) {
      const name = Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString("latin1");
      const known = keys.get(name);
      const now = performance.now();
      if (known !== undefined && now < known.staleAt) return await known.key;

      // Who asks meanwhile shares the answer. What the database says may be out of date when it arrives: the age counts from the
      // question, and the answer to a question from before a change is not found again.
      const kept = keys;
      if (kept.size >= maxKeys) kept.clear();
      const asked = { key: load(hash), staleAt: now + maxAgeMs };
      kept.set(name, asked);
      try {
        const key = await asked.key;
        if (key === undefined) kept.delete(name);
        return key;
      } catch (error) {
        kept.delete(name);
        throw error;
      }
    },

    clear() {
      keys = new Map();
    },
  };
}
