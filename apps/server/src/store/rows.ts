import { INT64_MAX, INT64_MIN } from "@petstore/contract/int64";
import type { Scope } from "@petstore/contract/operations";
import type { Pet } from "@petstore/contract/pet";
import type { ApiKey, PageQuery, Store, StoredKey } from "@petstore/service";

interface Column {
  column: string;
  /** In PostgreSQL. */
  type: "bigint" | "text";
  /** Whether it is NULL where the field is left out. */
  isOptional?: boolean;
}

/** The column of each field of an animal. The migrations make them. */
const columns: Readonly<Record<keyof Pet, Column>> = {
  id: { column: "id", type: "bigint" },
  name: { column: "name", type: "text" },
  categoryId: { column: "category_id", type: "bigint" },
  status: { column: "status", type: "text" },
};

const all = Object.entries(columns) as [keyof Pet, Column][];

/** All but the id, in the order of the columns. */
const others = all.filter(([field]) => field !== "id");

/** Parts of statements about animals. A row is read and written in the order of the columns, the id first. */
export const petSql = {
  columns: all.map(([, { column }]) => column).join(", "),
  /** The columns but the id, each as `write` writes it. */
  others: (write: (column: string, place: number) => string, separator = ", ") =>
    others.map(([, { column }], index) => write(column, index + 2)).join(separator),
  /** An expression for the JSON text of a row, in which `quote` makes that of a text. */
  json: (quote: (column: string) => string) => jsonOf(columns, quote),
  /** A parameter for each column, from `write`. */
  parameters: (write: (place: number, type: string) => string) =>
    all.map(([, { type }], index) => write(index + 1, type)).join(", "),
};

/** As `stringifyJson` writes an object with these fields. */
export function jsonOf(fields: Readonly<Record<string, Column>>, quote: (column: string) => string): string {
  const members = Object.entries(fields).map(([field, { column, type, isOptional = false }], index) => {
    const member = `'${index === 0 ? "{" : ","}"${field}":', ${type === "text" ? quote(column) : column}`;
    return isOptional ? `CASE WHEN ${column} IS NULL THEN '' ELSE concat(${member}) END` : member;
  });
  return `concat(${members.join(", ")}, '}')`;
}

/** The values of a row, in the order of the columns. */
export function toRow<Value>(values: Readonly<Record<keyof Pet, Value>>): Value[] {
  return all.map(([field]) => values[field]);
}

/** The values of a row by the names of their columns. */
export function toNamedRow<Value>(values: Readonly<Record<keyof Pet, Value>>): Record<string, Value> {
  return Object.fromEntries(all.map(([field, { column }]) => [column, values[field]]));
}

/** The smallest id of a page and its size. No id is above the largest, so the page after it is empty. */
export function pageRange({ after, limit }: PageQuery): [from: bigint, limit: number] {
  if (after === undefined) return [INT64_MIN, limit];
  return BigInt(after) === INT64_MAX ? [INT64_MAX, 0] : [BigInt(after) + 1n, limit];
}

/** The part of a store that has the API keys. */
export type KeyStore = Pick<Store, "findKey" | "listKeys" | "exportKeys" | "importKeys" | "createKey" | "revokeKey">;

/** The columns of an API key, in every database. */
export const keyColumns = "hash, id, name, kind, scopes, created_at, expires_at, revoked_at";

/** A row of them, as a database returns it: integers of 64 bits as text or as a bigint. */
export type KeyRow = [
  hash: Uint8Array,
  id: string,
  name: string,
  kind: ApiKey["kind"],
  scopes: string,
  createdAt: string | bigint,
  expiresAt: string | bigint | null,
  revokedAt: string | bigint | null,
];

export function toApiKey([, id, name, kind, scopes, createdAt, expiresAt, revokedAt]: KeyRow): ApiKey {
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

export function toStoredKey(row: KeyRow): StoredKey {
  return { hash: row[0], ...toApiKey(row) };
}

/** A hash as a key of a map. */
export function hashName(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString("latin1");
}

/** The values of a row, in the order of the columns. */
export function keyValues(key: ApiKey, hash: Uint8Array): (Uint8Array | string | number | null)[] {
  const { id, name, kind, scopes, createdAt, expiresAt = null, revokedAt = null } = key;
  return [hash, id, name, kind, scopes.join(" "), createdAt, expiresAt, revokedAt];
}
