import type { PetsQuery } from "@petstore/contract/contract";
import { toInt64, type Int64 } from "@petstore/contract/int64";
import type { Scope } from "@petstore/contract/metadata";
import type { Pet, PetChanges, PetFields, PetStatus } from "@petstore/contract/pet";
import { reservedIds } from "@petstore/contract/rules";
import type { MaybePromise } from "./maybe-promise.ts";

/**
 * The storage of animals, orders and API keys. To support another database, implement this
 * interface and run the test suite in `@petstore/service/conformance`, which checks everything that
 * is documented here.
 *
 * Ordering: lists are in ascending order of the 64-bit integer id.
 *
 * Integers: methods accept either form of {@link Int64} and return the canonical one.
 *
 * Atomicity: each call does everything or nothing, and never sees the partial changes of another
 * call. When its promise resolves, the change is durable and visible to every later call in any
 * process; when it rejects, nothing has changed. A store may group concurrent writes of animals
 * into one transaction, as long as one that fails does not affect the others.
 *
 * Errors: a method rejects with {@link StoreUnavailableError} when a later attempt may succeed
 * (locked, full, disconnected). Any other error counts as a bug: the response is 500.
 */
export interface Store {
  /** Signs page cursors: 32 random bytes, the same in every process that shares the database. */
  readonly cursorSecret: Uint8Array;

  /**
   * At most `limit` animals with an id above `after`, optionally only those with certain values.
   * The cost must not depend on `after`.
   */
  listPets(query: PetQuery): MaybePromise<StoredItem[]>;

  /** The animal with this id, or `undefined`. */
  getPet(id: Int64): MaybePromise<Pet | undefined>;

  /**
   * Stores an animal under a new id: one more than the largest id from 1 to 2^53 - 1 that was ever
   * used, starting with 1. With `idempotency`, the animal and the record of the key are written
   * together, and a repeat writes nothing. A request whose outcome is `reference_taken` leaves no
   * record.
   *
   * @throws {StoreUnavailableError} made by {@link outOfIdsError}, when 2^53 - 1 is taken. Imports
   * reject ids from 2^52 to 2^53 - 1 (`isReservedId` of the contract), so this happens only with
   * data from earlier versions.
   */
  createPet(pet: PetFields, idempotency?: Idempotency): Promise<Creation>;

  /**
   * Changes the given fields of an animal; its id stays the same. With `ifStatus`, only if the
   * animal has this status. With `idempotency`, the change and the record of the key are written
   * together, and a repeat writes nothing. A request whose outcome is `not_found`, `status_changed`
   * or `reference_taken` leaves no record. The change leaves a {@link PetChange}, written together
   * with it.
   */
  updatePet(id: Int64, changes: PetChanges, options?: ChangeOptions): Promise<Update>;

  /** Removes an animal, under the same conditions as a change. New animals never reuse its id. */
  deletePet(id: Int64, options?: ChangeOptions): Promise<Removal>;

  /**
   * Stores animals in the given order, all or none. Those with an id keep it, and equal ones are
   * skipped. An import has some thousand at most: new animals wait until it is committed. From then
   * on, those get ids above `reserved`, so that further imports can have ids up to it; outside of 1
   * to 2^53 - 1 it has no effect. An animal whose last {@link PetChange} is its removal leaves one,
   * too.
   *
   * @throws {ImportConflictError} when an id is taken by a different animal, unless `replace` is
   * set: then that animal is replaced, and leaves a {@link PetChange}; and when a reference is
   * taken by an animal with another id
   */
  importPets(pets: readonly ImportedPet[], options?: ImportOptions): Promise<ImportCount>;

  /** The largest id from 1 to 2^53 - 1 that was ever used, and 0 before the first. */
  largestId(): Promise<Int64>;

  /**
   * Gives new animals ids above this one, which is below 2^52. Resolves to whether that changes
   * anything.
   */
  numberAbove(id: Int64): Promise<boolean>;

  /** At most `limit` orders with an id above `after`. */
  listOrders(query: PageQuery): MaybePromise<StoredItem[]>;

  /**
   * Stores orders, all or none. An order with the id of a stored one replaces it, or is skipped if
   * both are equal.
   */
  importOrders(orders: readonly StoredItem[]): Promise<ImportCount>;

  /**
   * The key whose secret has this SHA-256, even if revoked or expired, or `undefined`. Requests
   * with invented keys must not load the database. A new key may therefore take a moment to be
   * found, and a change by another process up to one second to take effect.
   */
  findKey(hash: string): MaybePromise<ApiKey | undefined>;

  /** All keys, oldest first. */
  listKeys(): Promise<ApiKey[]>;

  /** Stores a new key. */
  createKey(key: ApiKey, hash: string): Promise<void>;

  /** All keys with the hashes of their secrets, oldest first. */
  exportKeys(): Promise<StoredKey[]>;

  /**
   * Stores keys, all or none, as if they had been created in this order. Equal keys are skipped.
   * One that is revoked revokes the stored one, which counts as changed; the time of the first
   * revocation is kept.
   *
   * @throws {ImportConflictError} when an id or a hash is taken by a different key
   */
  importKeys(keys: readonly StoredKey[]): Promise<ImportCount>;

  /** Revokes a key, and resolves to whether it exists. The time of the first revocation is kept. */
  revokeKey(id: string, revokedAt: number): Promise<boolean>;

  /**
   * Every change by an operator, in the order in which they happened. Each entry is stored in the
   * same transaction as its change.
   */
  listAudit(): Promise<AuditEntry[]>;

  /**
   * What happened to an animal, even if there is no such animal any more, in the order in which it
   * happened, whatever the clocks said. Old entries may be gone. In pages, because there may be
   * many.
   */
  listChanges(id: Int64): AsyncIterable<PetChange[]>;

  /** When the last backup was made; only for stores that this program backs up. */
  lastBackupAt?(): Promise<number | undefined>;

  /** Resolves when the store is available. */
  ping(): Promise<void>;

  /**
   * Whether so many calls are in progress that the store would reject the next one.
   * @param writes how many new animals will be stored at once; by default the next call is any
   * other
   */
  isBusy(writes?: number): boolean;

  /** The connections to the database, if the store has a pool of them. */
  connections(): ConnectionCounts | undefined;

  /**
   * A limiter for the requests of each API key. A store shared by several machines counts the
   * requests of all of them.
   */
  createRateLimiter(limit: RateLimit): RateLimiter;

  /** Releases all resources. No other method may be called afterwards. */
  close(): Promise<void>;
}

/** A change by an operator. */
export interface AuditEntry {
  /** Milliseconds since 1970. */
  at: number;
  /** The user who ran the command, and the machine. */
  operator: string;
  action:
    | "key_issued"
    | "key_revoked"
    | "keys_imported"
    | "pets_imported"
    | "numbering_imported"
    | "orders_imported"
    | "backed_up";
  /** The key, the id, or the number of items. Never a secret. */
  details: Readonly<Record<string, string | number>>;
}

/** What happened to an animal. */
export type PetChange = Author &
  (
    | {
        action: "updated" | "removed";
        /** The animal before. */
        previous: Pet;
      }
    /** It was removed, and then imported with its id. */
    | { action: "put_back"; previous?: never }
  );

/** Who changes an animal. */
export interface Author {
  /** Milliseconds since 1970. */
  at: number;
  /** The id of the caller's API key, or the operator who ran a command. */
  by: string;
  /** The `X-Request-Id` of the request; `undefined` for a command. */
  requestId?: string | undefined;
}

/** The state of a pool of connections. */
export interface ConnectionCounts {
  /** The size of the pool. */
  max: number;
  used: number;
  idle: number;
  /** Calls that wait for a connection. */
  waiting: number;
}

/**
 * At most `requests` per window. A window begins with a request and lasts `windowMs` milliseconds.
 */
export interface RateLimit {
  requests: number;
  windowMs: number;
}

export interface RateLimiter {
  /**
   * Counts requests. Returns `undefined` within the limit, otherwise the milliseconds until the
   * next window.
   */
  count(ownerId: string, requests?: number): MaybePromise<number | undefined>;

  /**
   * Counts as many requests as the limit allows, after one of them has been counted. Only the first
   * call in a window that had room for that one is within the limit: otherwise two that arrive
   * together would reject each other in every window.
   */
  fill(ownerId: string): MaybePromise<number | undefined>;
}

export interface PageQuery {
  /** Maximum number of items to return, at least 1. */
  limit: number;
  /** Only items with a larger id. By default the list starts at the smallest id. */
  after?: Int64 | undefined;
}

/** A {@link PageQuery} with the filters of the contract. */
export type PetQuery = PageQuery & Omit<PetsQuery, "limit" | "cursor">;

/** The idempotency record of a request. Times are milliseconds since 1970. */
export interface Idempotency {
  /** The id of the caller's API key. Equal `key`s of different callers are unrelated. */
  ownerId: string;
  /** The value of the `Idempotency-Key` header. */
  key: string;
  /** Equal for equal requests. */
  fingerprint: string;
  now: number;
  /** From this time on the record counts as absent. */
  expiresAt: number;
}

/** The conditions of a change of an animal, and who makes it. */
export interface ChangeOptions {
  /** @default the operator of the store */
  author?: Author | undefined;
  ifStatus?: PetStatus | undefined;
  idempotency?: Idempotency | undefined;
}

/** The outcome of a request that has an idempotency key and was not carried out. */
type KeyInUse =
  /** The key was used for a request with another fingerprint. Nothing was stored. */
  | { outcome: "reused" }
  /** A request with the same key has not finished. Nothing was stored. */
  | { outcome: "in_progress" };

/** Another animal, with this id, has the reference. Nothing was stored. */
export type ReferenceTaken = { outcome: "reference_taken"; id: Int64 };

/** The outcome of a request to create an animal. */
export type Creation =
  /**
   * Stored now (`created`), or by an earlier request with the same idempotency key and fingerprint
   * (`replayed`).
   */
  { outcome: "created" | "replayed"; pet: Pet } | ReferenceTaken | KeyInUse;

/** The outcome of a request to change or remove an animal. */
type Change<Done extends string> =
  /** Carried out now, or (`replayed`) by an earlier request with the same key and fingerprint. */
  | { outcome: Done | "replayed"; pet: Pet }
  /** The animal's status is not `ifStatus`. */
  | { outcome: "status_changed"; status: PetStatus }
  | { outcome: "not_found" }
  | KeyInUse;

/** The animal is as it was after the change. */
export type Update = Change<"updated"> | ReferenceTaken;

/** The animal is as it was before. */
export type Removal = Change<"removed">;

export type ImportedPet = PetFields & { id?: Int64 | undefined };

export interface ImportOptions {
  replace?: boolean;
  reserved?: Int64 | undefined;
}

export interface ImportCount {
  /** New. */
  stored: number;
  /** Replaced a different stored item. */
  changed: number;
  /** Equal to the stored item. */
  skipped: number;
}

/**
 * An item of a list, as JSON text: an animal as `stringifyJson` prints it, an order as it was
 * imported.
 */
export interface StoredItem {
  id: Int64;
  json: string;
}

/** An issued API key, without its secret. Times are milliseconds since 1970. */
export interface ApiKey {
  /** `key_` and 12 base62 characters. Not secret: it appears in logs. */
  id: string;
  /** The operator's name for it. */
  name: string;
  kind: "live" | "test";
  scopes: readonly Scope[];
  createdAt: number;
  /** The key is rejected from this time on. */
  expiresAt?: number | undefined;
  /** The key has been rejected since this time. */
  revokedAt?: number | undefined;
  /**
   * When a request last used the key, even a rejected one; up to a minute late. The memory store
   * does not record it.
   */
  lastUsedAt?: number | undefined;
}

/** Whether a key is active at the time `now`, and if not, why. */
export function keyState(
  { revokedAt, expiresAt = Infinity }: ApiKey,
  now: number,
): "active" | "revoked" | "expired" {
  if (revokedAt !== undefined) return "revoked";
  return now >= expiresAt ? "expired" : "active";
}

/** A key with its hash, for transfers between stores. */
export interface StoredKey extends ApiKey {
  /** The SHA-256 of the secret, in hex. */
  hash: string;
}

/** Applies changes to an animal. A field that is `undefined` stays as it is; `null` removes it. */
export function withChanges(pet: Pet, changes: PetChanges): Pet {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const fields = Object.entries({ ...pet, ...Object.fromEntries(given) }).filter(
    ([, value]) => value !== null,
  );
  return Object.fromEntries(fields) as unknown as Pet;
}

/** The store is temporarily unavailable: a later attempt may succeed. The response is 503. */
export class StoreUnavailableError extends Error {
  override readonly name = "StoreUnavailableError";
  /**
   * - `busy`: too many calls are waiting
   * - `rejected`: the database rejected the call, for example because it is full
   * - `timeout`: the database did not respond in time
   * - `connection`: the database cannot be reached
   */
  readonly reason: "busy" | "rejected" | "timeout" | "connection";

  constructor(
    message: string,
    { reason, ...options }: ErrorOptions & Pick<StoreUnavailableError, "reason">,
  ) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * The error when the largest possible id of a new animal is taken. The PostgreSQL migrations use
 * the same message.
 */
export function outOfIdsError(): StoreUnavailableError {
  const message = `no id is left for a new animal: ${reservedIds.maximum} was used`;
  return new StoreUnavailableError(message, { reason: "rejected" });
}

/** An import would change an existing animal or key. */
export class ImportConflictError extends Error {
  override readonly name = "ImportConflictError";
  /** The id of the imported animal or key. */
  readonly id: Int64 | string;

  constructor(id: Int64 | string, message = `id ${id} is taken by a different animal`) {
    super(message);
    this.id = id;
  }
}

/**
 * The references of an import. One that belonged to another animal before, or comes in two animals,
 * is a conflict.
 */
export class ImportedReferences {
  readonly #owners: Map<string, bigint>;

  /** @param owners the ids of the animals that have references already */
  constructor(owners: Iterable<readonly [reference: string, id: Int64]>) {
    this.#owners = new Map(Array.from(owners, ([reference, id]) => [reference, BigInt(id)]));
  }

  /**
   * @param id of the animal; `undefined` for a new one @throws {ImportConflictError} if its
   * reference belongs to another one
   */
  claim({ reference }: PetFields, id: Int64 | undefined): void {
    if (reference === undefined) return;
    const owner = this.#owners.get(reference);
    if (owner !== undefined && (id === undefined || owner !== BigInt(id)))
      throw new ImportConflictError(
        id ?? toInt64(owner),
        `reference ${JSON.stringify(reference)} is taken by animal ${owner}`,
      );
    if (id !== undefined) this.#owners.set(reference, BigInt(id));
  }
}

/**
 * Whether the import of a key revokes the stored one. A revocation is taken over, and never taken
 * back: the stored keys may be from a backup.
 * @throws {ImportConflictError} if the keys differ in anything else
 */
export function isRevokedBy(imported: StoredKey, stored: StoredKey): boolean {
  if (describeKey(imported) !== describeKey(stored))
    throw new ImportConflictError(
      imported.id,
      `${imported.id} or its hash is taken by a different key`,
    );
  return imported.revokedAt !== undefined && stored.revokedAt === undefined;
}

function describeKey({ hash, id, name, kind, scopes, createdAt, expiresAt }: StoredKey): string {
  return JSON.stringify([hash, id, name, kind, scopes, createdAt, expiresAt ?? null]);
}
