import type { Scope } from "@petstore/contract";
import type { ApiKey, StoredKey } from "@petstore/service";

/** The columns of an API key, in every database. */
export const keyColumns = "id, name, kind, scopes, created_at, expires_at, revoked_at";

/** A row of them, as a database returns it: integers of 64 bits as text or as a bigint. */
export type KeyRow = [
  id: string,
  name: string,
  kind: ApiKey["kind"],
  scopes: string,
  createdAt: string | bigint,
  expiresAt: string | bigint | null,
  revokedAt: string | bigint | null,
];

export type StoredKeyRow = [hash: Uint8Array, ...key: KeyRow];

export function toApiKey([id, name, kind, scopes, createdAt, expiresAt, revokedAt]: KeyRow): ApiKey {
  return {
    id,
    name,
    kind,
    scopes: scopes.split(" ").filter((scope) => scope !== "") as Scope[],
    createdAt: Number(createdAt),
    expiresAt: expiresAt === null ? undefined : Number(expiresAt),
    revokedAt: revokedAt === null ? undefined : Number(revokedAt),
  };
}

export function toStoredKey([hash, ...key]: StoredKeyRow): StoredKey {
  return { hash, ...toApiKey(key) };
}

/** A hash as a key of a map. */
export function hashName(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString("latin1");
}

/** The hash, and the values in the order of the columns. */
export function keyValues(key: ApiKey, hash: Uint8Array): (Uint8Array | string | number | null)[] {
  const { id, name, kind, scopes, createdAt, expiresAt = null, revokedAt = null } = key;
  return [hash, id, name, kind, scopes.join(" "), createdAt, expiresAt, revokedAt];
}
