import type { Scope } from "@petstore/contract/metadata";
import type { ApiKey, Store, StoredKey } from "@petstore/service";

/** The methods of a store for API keys. */
export type KeyStore = Pick<
  Store,
  "findKey" | "listKeys" | "exportKeys" | "importKeys" | "createKey" | "revokeKey"
>;

/** The columns of an API key, in every database. */
export const keyColumns = "hash, id, name, kind, scopes, created_at, expires_at, revoked_at";

/** The columns that `keys list` shows, including one that is not kept in memory. */
export const listedKeyColumns = `${keyColumns}, last_used_at`;

/** A row of an API key, as a database returns it: 64-bit integers are text or bigint. */
export type KeyRow = [
  hash: Uint8Array,
  id: string,
  name: string,
  kind: ApiKey["kind"],
  scopes: string,
  createdAt: string | bigint,
  expiresAt: string | bigint | null,
  revokedAt: string | bigint | null,
  lastUsedAt?: string | bigint | null,
];

export function toApiKey([
  ,
  id,
  name,
  kind,
  scopes,
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt = null,
]: KeyRow): ApiKey {
  return {
    id,
    name,
    kind,
    scopes: scopes.split(" ").filter((scope) => scope !== "") as Scope[],
    createdAt: Number(createdAt),
    expiresAt: expiresAt === null ? undefined : Number(expiresAt),
    revokedAt: revokedAt === null ? undefined : Number(revokedAt),
    lastUsedAt: lastUsedAt === null ? undefined : Number(lastUsedAt),
  };
}

export function toStoredKey(row: KeyRow): StoredKey {
  return { hash: toHex(row[0]), ...toApiKey(row) };
}

/** The values of a row, in the order of the columns. */
export function keyValues(key: ApiKey, hash: string): (Uint8Array | string | number | null)[] {
  const { id, name, kind, scopes, createdAt, expiresAt = null, revokedAt = null } = key;
  return [toBytes(hash), id, name, kind, scopes.join(" "), createdAt, expiresAt, revokedAt];
}

/** A hash as it is stored. */
export function toBytes(hash: string): Uint8Array {
  return Buffer.from(hash, "hex");
}

export function toHex(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString("hex");
}
