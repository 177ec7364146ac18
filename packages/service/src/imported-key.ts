import { ImportConflictError, type StoredKey } from "./store.ts";

/** @throws {ImportConflictError} when a key that has the id or the hash of an imported one differs from it in anything */
export function checkSameKey(imported: StoredKey, stored: StoredKey): void {
  if (describe(imported) === describe(stored)) return;
  throw new ImportConflictError(imported.id, `${imported.id} or its hash is taken by a different key`);
}

function describe({ hash, id, name, kind, scopes, createdAt, expiresAt, revokedAt }: StoredKey): string {
  return JSON.stringify([...hash, id, name, kind, scopes, createdAt, expiresAt ?? null, revokedAt ?? null]);
}
