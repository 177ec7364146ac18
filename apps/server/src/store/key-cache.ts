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
  let keys = new Map<string, { key: ApiKey; staleAt: number }>();

  return {
    async find(hash) {
      const name = Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString("latin1");
      const known = keys.get(name);
      const now = performance.now();
      if (known !== undefined && now < known.staleAt) return known.key;
      // What the database says may be out of date when it arrives: the age counts from the question, and an answer to a question
      // from before a change is not kept.
      const kept = keys;
      const key = await load(hash);
      if (key === undefined) kept.delete(name);
      else {
        if (kept.size >= maxKeys) kept.clear();
        kept.set(name, { key, staleAt: now + maxAgeMs });
      }
      return key;
    },

    clear() {
      keys = new Map();
    },
  };
}
