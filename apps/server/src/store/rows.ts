import {
  fieldNames,
  filterNames,
  mapFields,
  petFields,
  type PetField,
} from "@petstore/contract/fields";
import { INT64_MAX, INT64_MIN, type Int64 } from "@petstore/contract/int64";
import type { Scope } from "@petstore/contract/metadata";
import type { Pet, PetChanges } from "@petstore/contract/pet";
import type { ApiKey, PageQuery, PetQuery, Store, StoredKey } from "@petstore/service";

interface Column {
  column: string;
  /** The type in PostgreSQL. */
  type: "bigint" | "text";
  /** Whether the column is NULL if the field is left out. */
  isOptional?: boolean;
}

/**
 * The column of each field of an animal, as the migrations create them: `category_id` for
 * `categoryId`.
 */
const columns: Readonly<Record<keyof Pet, Column>> = {
  id: { column: "id", type: "bigint" },
  ...mapFields(columnOf),
};

function columnOf(field: string, { kind, isOptional = false }: PetField): Column {
  const column = field.replaceAll(/[A-Z]/g, "_$&").toLowerCase();
  return { column, type: kind === "int64" ? "bigint" : "text", isOptional };
}

const all = Object.entries(columns) as [keyof Pet, Column][];

/** All but the id, in the order of the columns. */
const others = all.filter(([field]) => field !== "id");

/**
 * SQL fragments for animals. Rows are read and written in the order of the columns, with the id
 * first.
 */
export const petSql = {
  count: all.length,
  columns: all.map(([, { column }]) => column).join(", "),
  /** All columns but the id, each formatted by `write`. */
  others: (write: (column: string, place: number) => string, separator = ", ") =>
    others.map(([, { column }], index) => write(column, index + 2)).join(separator),
  /** An expression for the JSON text of a row. `quote` formats a text column as JSON. */
  json: (quote: (column: string) => string) => jsonOf(columns, quote),
  /** A parameter for each column, formatted by `write`. */
  parameters: (write: (place: number, type: string) => string) =>
    all.map(([, { type }], index) => write(index + 1, type)).join(", "),
};

/** An expression for the same text that `stringifyJson` writes for an object with these fields. */
function jsonOf(
  fields: Readonly<Record<string, Column>>,
  quote: (column: string) => string,
): string {
  const members = Object.entries(fields).map(
    ([field, { column, type, isOptional = false }], index) => {
      const member = `'${index === 0 ? "{" : ","}"${field}":', ${type === "text" ? quote(column) : column}`;
      return isOptional ? `CASE WHEN ${column} IS NULL THEN '' ELSE concat(${member}) END` : member;
    },
  );
  return `concat(${members.join(", ")}, '}')`;
}

/** A row in the order of the columns. The form of a 64-bit integer depends on the database. */
export type PetRow<Integer> = [id: Integer, ...values: (Integer | string | null)[]];

/** A value as the database takes it: NULL for a field that is left out or cleared. */
function toColumn<Integer>(field: keyof Pet, value: unknown, toInteger: (value: Int64) => Integer) {
  if (value === undefined || value === null) return null;
  return columns[field].type === "bigint" ? toInteger(value as Int64) : (value as string);
}

/** The row of an animal. */
export function toRow<Integer>(
  pet: Pick<Pet, "id"> & PetChanges,
  toInteger: (value: Int64) => Integer,
): PetRow<Integer> {
  return all.map(([field]) => toColumn(field, pet[field], toInteger)) as PetRow<Integer>;
}

/** The animal of a row. */
export function fromRow<Integer>(row: PetRow<Integer>, toInt64: (value: Integer) => Int64): Pet {
  const pet: Partial<Record<keyof Pet, unknown>> = {};
  for (const [index, [field, { type }]] of all.entries()) {
    const value = row[index] ?? null;
    if (value !== null) pet[field] = type === "bigint" ? toInt64(value as Integer) : value;
  }
  return pet as Pet;
}

/** The values of the given fields by column name. */
export function toNamedRow<Integer>(
  pet: Pick<Pet, "id"> & PetChanges,
  toInteger: (value: Int64) => Integer,
) {
  const given = all.filter(([field]) => pet[field] !== undefined);
  return Object.fromEntries(
    given.map(([field, { column }]) => [column, toColumn(field, pet[field], toInteger)]),
  );
}

/** The columns whose values belong to one animal each. */
export const uniqueColumns: readonly string[] = fieldNames
  .filter((field) => "isUnique" in petFields[field])
  .map((field) => columns[field].column);

/**
 * The columns of every combination of filters. Each has an index that continues with the id, unless
 * a column is unique.
 */
export const filterSets: readonly string[][] = filterNames.reduce<string[][]>(
  (sets, field) => [...sets, ...sets.map((set) => [...set, columns[field].column])],
  [[]],
);

/** The filters of a list: the name of their combination, and the values of its columns. */
export function filtersOf<Integer>(
  query: Omit<PetQuery, keyof PageQuery>,
  toInteger: (value: Int64) => Integer,
) {
  const used = filterNames.filter((field) => query[field] !== undefined);
  const values = used.map((field) => toColumn(field, query[field], toInteger));
  return { name: filterName(used.map((field) => columns[field].column)), values };
}

/** The name of a combination of filters. */
export function filterName(set: readonly string[]): string {
  return `pets by ${[...set, "id"].join(", ")}`;
}

/** The smallest id of a page, and its size. The page after the largest possible id is empty. */
export function pageRange({ after, limit }: PageQuery): [from: bigint, limit: number] {
  if (after === undefined) return [INT64_MIN, limit];
  return BigInt(after) === INT64_MAX ? [INT64_MAX, 0] : [BigInt(after) + 1n, limit];
}

/**
 * The tables that lack the row that they always have. A restore of some tables may leave it out.
 */
export const missingRowsSql = ["key_version", "numbering", "retention", "secrets"]
  .map((table) => `SELECT '${table}' WHERE NOT EXISTS (SELECT 1 FROM ${table})`)
  .join(" UNION ALL ");

/** The sentence about such tables, after what has them. */
export function missingRows(tables: readonly string[]): string {
  return `lacks the row of ${tables.join(" and ")}: copy it from the database that the animals are from`;
}

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
