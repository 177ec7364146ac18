import { isRevokedBy, type ApiKey, type ImportCount, type Store, type StoredKey } from "./store.ts";

type KeyMethods = "findKey" | "listKeys" | "exportKeys" | "importKeys" | "createKey" | "revokeKey";

export function createMemoryKeys(): Pick<Store, KeyMethods> {
  let keys = new Map<string, StoredKey>();
  let idByHash = new Map<string, string>();

  function put(key: StoredKey): void {
    keys.set(key.id, key);
    idByHash.set(key.hash, key.id);
  }

  /** @throws {ImportConflictError} if the id or the hash is taken by a different key */
  function putImported(key: StoredKey): keyof ImportCount {
    const same = [keys.get(key.id), keys.get(idByHash.get(key.hash) ?? "")].filter(
      (each) => each !== undefined,
    );
    const isRevoked = same.filter((each) => isRevokedBy(key, each)).length > 0;
    if (same.length > 0 && !isRevoked) return "skipped";
    put(key);
    return isRevoked ? "changed" : "stored";
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
      const count: ImportCount = { stored: 0, changed: 0, skipped: 0 };
      [keys, idByHash] = [new Map(keys), new Map(idByHash)];
      try {
        for (const key of imported) count[putImported(key)]++;
      } catch (error) {
        ({ keys, idByHash } = before);
        throw error;
      }
      return count;
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
