import type { Int64 } from "@petstore/contract/int64";
import type { PetsQuery, Scope } from "@petstore/contract/operations";
import type { Pet, PetFields } from "@petstore/contract/pet";
import { reservedIds } from "@petstore/contract/values";
import type { Found } from "./found.ts";

/**
 * Where animals, orders and API keys live. Implement it to put the service on another database, and run the suite of
 * `@petstore/service/conformance` against the result: it is the executable form of this page.
 *
 * Ordering: lists are in ascending order of the 64-bit integer id.
 *
 * Integers: each is taken in either form of {@link Int64} and returned in the canonical one.
 *
 * Atomicity: each call does all or nothing, and sees nothing of a call that is not done. When its promise resolves the change is
 * durable and every later call, in any process, sees it; when it rejects nothing has changed. A store may put creations that come
 * together into one transaction: then what is wrong with one of them must not touch the others.
 *
 * Errors: a method rejects with {@link StoreUnavailableError} when trying again later may help (locked, full, disconnected).
 * Anything else that it throws is taken for a bug: the response is 500.
 */
export interface Store {
  /** Signs page cursors: 32 random bytes, the same in every process that shares the database. */
  readonly cursorSecret: Uint8Array;

  /** At most `limit` animals with an id above `after`, of one status if given. The cost does not depend on `after`. */
  listPets(query: PetQuery): Found<StoredItem[]>;

  /** The animal with this id, or `undefined`. */
  getPet(id: Int64): Found<Pet | undefined>;

  /**
   * Stores an animal under a new id: one more than the largest id from 1 to 2^53 - 1 that an animal has or had, the first being 1.
   * Imports bring none of the ids above 2^52 in this range (`isReservedId` of the contract), so ids run out only where an earlier
   * version let them in: {@link noIdIsLeft}.
   *
   * With `idempotency`, the animal and the record of the key are written together, and a repeat writes nothing: see
   * {@link Creation} for what it resolves to.
   */
  createPet(pet: PetFields, idempotency?: Idempotency): Promise<Creation>;

  /**
   * Stores many animals, all or none, in their order. An animal with an id keeps it; one that is stored already, and equal, is skipped.
   * When the source of the animals throws, nothing is stored.
   *
   * @throws {ImportConflictError} when an id is taken by a different animal, unless `replace` says that it is to be replaced.
   */
  importPets(pets: Source<ImportedPet>, options?: { replace?: boolean }): Promise<ImportCount>;

  /**
   * Removes animals, all or none. Resolves to the ids that no animal has: if there are any, nothing was removed. The ids of removed
   * animals are never given to new ones. Records of idempotency keys stay: a repeat still returns the animal.
   */
  removePets(ids: readonly Int64[]): Promise<Int64[]>;

  /** At most `limit` orders with an id above `after`. */
  listOrders(query: PageQuery): Found<StoredItem[]>;

  /** Stores many orders, all or none. An order that is stored already is replaced, or skipped when it is equal. */
  importOrders(orders: Source<StoredItem>): Promise<ImportCount>;

  /**
   * The key whose secret has this SHA-256, revoked and expired ones too, or `undefined`. What callers make up must not make the
   * database work: a new key may take a moment, and one that another process has changed at most a second.
   */
  findKey(hash: Uint8Array): Found<ApiKey | undefined>;

  /** Every key, oldest first. */
  listKeys(): Promise<ApiKey[]>;

  /** Stores a new key. With `replaced`, that key expires at the given time, unless it ends earlier already. */
  createKey(key: ApiKey, hash: Uint8Array, replaced?: { id: string; expiresAt: number }): Promise<void>;

  /** Every key with the hash of its secret, oldest first. */
  exportKeys(): Promise<StoredKey[]>;

  /**
   * Stores many keys, all or none, as if they had been created in this order. One that is stored already, and equal, is skipped.
   *
   * @throws {ImportConflictError} when an id or a hash is taken by a different key.
   */
  importKeys(keys: readonly StoredKey[]): Promise<ImportCount>;

  /** Revokes a key and resolves to whether there is one with this id. The first time of revocation stays. */
  revokeKey(id: string, revokedAt: number): Promise<boolean>;

  /** Resolves when the store can answer. */
  ping(): Promise<void>;

  /** Whether so many calls are under way that the next one would be refused: then it need not be made. */
  isBusy(): boolean;

  /** The connections to the database, of a store that has a number of them. */
  connections(): ConnectionCounts | undefined;

  /** Counts the requests of each API key. A store for several machines counts for all of them together. */
  createRateLimiter(limit: RateLimit): RateLimiter;

  /** Releases everything. No method may be called after it. */
  close(): Promise<void>;
}

/** How many connections there are and what they do. */
export interface ConnectionCounts {
  /** There will never be more. */
  most: number;
  used: number;
  idle: number;
  /** Calls that wait for one. */
  waiting: number;
}

/** At most `requests` in any window of `windowMs` that begins with a request. */
export interface RateLimit {
  requests: number;
  windowMs: number;
}

export interface RateLimiter {
  /** Counts a request: `undefined` when it is within the limit, otherwise the milliseconds until the next one is. */
  count(ownerId: string): Found<number | undefined>;
}

export interface PageQuery {
  /** The most items to return, at least 1. */
  limit: number;
  /** Only items with a larger id; from the smallest when absent. */
  after?: Int64 | undefined;
}

/** With every filter of the contract. */
export type PetQuery = PageQuery & Omit<PetsQuery, "limit" | "cursor">;

/** Who repeats what until when. Times are milliseconds since 1970. */
export interface Idempotency {
  /** The API key that the caller used: the same `key` of another caller is unrelated. */
  ownerId: string;
  /** The value of the `Idempotency-Key` header. */
  key: string;
  /** Equal for requests that ask for the same. */
  fingerprint: string;
  now: number;
  /** The record counts as absent from then on. */
  expiresAt: number;
}

/** What became of a request to create an animal. */
export type Creation =
  /** Stored now, or by an earlier request with the same idempotency key and fingerprint. */
  | { outcome: "created" | "replayed"; pet: Pet }
  /** The idempotency key was used for a request with another fingerprint. Nothing was stored. */
  | { outcome: "reused" }
  /** A request with the same idempotency key has not finished. Nothing was stored. */
  | { outcome: "in_progress" };

export type ImportedPet = PetFields & { id?: Int64 | undefined };

/** Items of an import. A large one is read while it is stored. */
export type Source<Item> = Iterable<Item> | AsyncIterable<Item>;

export interface ImportCount {
  /** New. */
  stored: number;
  /** Different from what was stored, which it replaced. */
  changed: number;
  /** Equal to what was stored. */
  skipped: number;
}

/** What a list is made of: `json` is the text of the object, of an animal as `stringifyJson` writes it, of an order as it was imported. */
export interface StoredItem {
  id: Int64;
  json: string;
}

/** An issued API key, without its secret. Times are milliseconds since 1970. */
export interface ApiKey {
  /** `key_` and 12 base62 characters. Not secret: it appears in logs. */
  id: string;
  /** What the operator called it. */
  name: string;
  kind: "live" | "test";
  scopes: readonly Scope[];
  createdAt: number;
  /** Refused from then on. */
  expiresAt?: number | undefined;
  /** Refused since then. */
  revokedAt?: number | undefined;
}

/** A key as it moves from one store to another. */
export interface StoredKey extends ApiKey {
  /** The SHA-256 of the secret. */
  hash: Uint8Array;
}

/** The store cannot answer now; a later attempt may succeed. The response is 503. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
  /**
   * - `busy`: others are using it, and too many are waiting
   * - `refused`: it said that it cannot, as for want of space
   * - `timeout`: it did not answer in time
   * - `connection`: it cannot be reached
   */
  readonly reason: "busy" | "refused" | "timeout" | "connection";

  constructor(message: string, { reason, ...options }: ErrorOptions & Pick<StoreUnavailableError, "reason">) {
    super(message, options);
    this.reason = reason;
  }
}

/** The largest id that a new animal can have is taken. The migrations of PostgreSQL use the same words. */
export function noIdIsLeft(): StoreUnavailableError {
  const message = `no id is left for a new animal: ${reservedIds.maximum} was used`;
  return new StoreUnavailableError(message, { reason: "refused" });
}

/** An import would change an animal or a key that exists. */
export class ImportConflictError extends Error {
  override readonly name = "ImportConflictError";
  /** Of the imported one. */
  readonly id: Int64 | string;

  constructor(id: Int64 | string, message = `id ${id} is taken by a different animal`) {
    super(message);
    this.id = id;
  }
}

/** @throws {ImportConflictError} when a key that has the id or the hash of an imported one differs from it in anything */
export function checkSameKey(imported: StoredKey, stored: StoredKey): void {
  if (describeKey(imported) === describeKey(stored)) return;
  throw new ImportConflictError(imported.id, `${imported.id} or its hash is taken by a different key`);
}

function describeKey({ hash, id, name, kind, scopes, createdAt, expiresAt, revokedAt }: StoredKey): string {
  return JSON.stringify([...hash, id, name, kind, scopes, createdAt, expiresAt ?? null, revokedAt ?? null]);
}
