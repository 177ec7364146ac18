import { checkSameKey, type ApiKey, type Store, type StoredKey } from "./store.ts";

type KeyMethods = "findKey" | "listKeys" | "exportKeys" | "importKeys" | "createKey" | "revokeKey";

export function createMemoryKeys(): Pick<Store, KeyMethods> {
  let keys = new Map<string, StoredKey>();
  let idByHash = new Map<string, string>();

  function put(key: StoredKey): void {
    keys.set(key.id, key);
    idByHash.set(key.hash, key.id);
  }

  /** Oldest first. */
  function sorted(): StoredKey[] {
    return [...keys.values()].toSorted((left, right) => left.createdAt - right.createdAt);
  }

  return {
    findKey(hash) {
      const key = keys.get(idByHash.get(hash) ?? "");
      return key && withoutHash(key);
    },

    listKeys: async () => sorted().map(withoutHash),

    exportKeys: async () => sorted(),

    async importKeys(imported) {
      const before = { keys, idByHash };
      [keys, idByHash] = [new Map(keys), new Map(idByHash)];
      try {
        for (const key of imported) {
          const same = [keys.get(key.id), keys.get(idByHash.get(key.hash) ?? "")];
          for (const each of same) if (each) checkSameKey(key, each);
          put(key);
        }
      } catch (error) {
        ({ keys, idByHash } = before);
        throw error;
      }
      const stored = keys.size - before.keys.size;
      return { stored, changed: 0, skipped: imported.length - stored };
    },

    createKey: async (key, hash) => put({ ...key, hash }),

    async revokeKey(id, revokedAt) {
      const key = keys.get(id);
      if (key) put({ ...key, revokedAt: key.revokedAt ?? revokedAt });
      return key !== undefined;
    },
  };
}

function withoutHash({ hash: _hash, ...key }: StoredKey): ApiKey {
  return key;
}
