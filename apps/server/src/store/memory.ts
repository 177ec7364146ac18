import { randomBytes } from "node:crypto";
import { petStatuses, reservedIds, toInt64, type Int64, type Pet, type PetStatus } from "@petstore/contract";
import { checkSameKey } from "./imported-key.ts";
import { createMemoryRateLimiter } from "./rate-limiter.ts";
import {
  ImportConflictError,
  noIdIsLeft,
  type ApiKey,
  type Creation,
  type ImportedPet,
  type PageQuery,
  type PetFields,
  type Store,
  type StoredKey,
  type StoredOrder,
} from "./store.ts";

/** A store that forgets everything when the process ends. For tests and for trying the service out. */
export function createMemoryStore(): Store {
  const pets = new Map<bigint, Pet>();
  const orders = new Map<bigint, StoredOrder>();
  const keys = new Map<string, ApiKey>();
  const keyIdByHash = new Map<string, string>();
  const hashByKeyId = new Map<string, string>();
  const idempotency = new Map<string, { fingerprint: string; pet: Pet; expiresAt: number }>();

  // Sorted by id, for paging: one list of all animals and one per status.
  const sortedPets = new Map<PetStatus | undefined, Pet[]>();
  for (const status of [undefined, ...petStatuses]) sortedPets.set(status, []);
  let sortedOrders: StoredOrder[] = [];
  let lastPetId = 0;

  function addPets(added: readonly Pet[]): void {
    for (const pet of added) {
      pets.set(BigInt(pet.id), pet);
      lastPetId = numberingAfter(pet.id, lastPetId);
      for (const list of [sortedPets.get(undefined), sortedPets.get(pet.status)]) insertSorted(list ?? [], pet);
    }
  }

  function addKey(key: ApiKey, hash: Uint8Array): void {
    const text = Buffer.from(hash).toString("hex");
    keys.set(key.id, key);
    keyIdByHash.set(text, key.id);
    hashByKeyId.set(key.id, text);
  }

  /** Oldest first. */
  function sortedKeys(): ApiKey[] {
    return [...keys.values()].toSorted((left, right) => left.createdAt - right.createdAt);
  }

  function withHash(key: ApiKey): StoredKey {
    return { ...key, hash: Buffer.from(hashByKeyId.get(key.id) ?? "", "hex") };
  }

  return {
    cursorSecret: randomBytes(32),

    async listPets({ status, ...query }) {
      return page(sortedPets.get(status) ?? [], query);
    },

    async getPet(id) {
      return pets.get(BigInt(id));
    },

    async createPet(newPet, request): Promise<Creation> {
      const recordKey = request && `${request.ownerId} ${request.key}`;
      const record = recordKey === undefined ? undefined : idempotency.get(recordKey);
      if (request && record && record.expiresAt > request.now) {
        return record.fingerprint === request.fingerprint
          ? { outcome: "replayed", pet: record.pet }
          : { outcome: "reused" };
      }
      const pet = { id: nextId(lastPetId), ...canonicalFields(newPet) };
      addPets([pet]);
      if (request && recordKey !== undefined) {
        for (const [key, { expiresAt }] of idempotency) {
          if (expiresAt > request.now) break; // in order of insertion, so all behind it are younger
          idempotency.delete(key);
        }
        idempotency.set(recordKey, { fingerprint: request.fingerprint, pet, expiresAt: request.expiresAt });
      }
      return { outcome: "created", pet };
    },

    async importPets(imported) {
      const added = newPets(imported, pets, lastPetId);
      addPets(added);
      return { stored: added.length, skipped: imported.length - added.length };
    },

    async listOrders(query) {
      return page(sortedOrders, query);
    },

    async importOrders(imported) {
      for (const { id, json } of imported) orders.set(BigInt(id), { id: canonical(id), json });
      sortedOrders = [...orders.values()].toSorted((left, right) => (left.id < right.id ? -1 : 1));
      return { stored: new Set(imported.map(({ id }) => BigInt(id))).size, skipped: 0 };
    },

    findKey(hash) {
      const id = keyIdByHash.get(Buffer.from(hash).toString("hex"));
      return id === undefined ? undefined : keys.get(id);
    },

    async listKeys() {
      return sortedKeys();
    },

    async exportKeys() {
      return sortedKeys().map(withHash);
    },

    async importKeys(imported) {
      const added: StoredKey[] = [];
      for (const key of imported) {
        const text = Buffer.from(key.hash).toString("hex");
        const present = [keys.get(key.id), keys.get(keyIdByHash.get(text) ?? "")].flatMap((each) => each ?? []);
        const same = [
          ...present.map(withHash),
          ...added.filter(({ id, hash }) => id === key.id || Buffer.from(hash).toString("hex") === text),
        ];
        if (same.length === 0) added.push(key);
        else for (const each of same) checkSameKey(key, each);
      }
      for (const { hash, ...key } of added) addKey(key, hash);
      return { stored: added.length, skipped: imported.length - added.length };
    },

    async createKey(key, hash, replaced) {
      addKey(key, hash);
      const old = replaced && keys.get(replaced.id);
      if (old) keys.set(old.id, { ...old, expiresAt: Math.min(old.expiresAt ?? Infinity, replaced.expiresAt) });
    },

    async revokeKey(id, revokedAt) {
      const key = keys.get(id);
      if (key) keys.set(id, { ...key, revokedAt: key.revokedAt ?? revokedAt });
      return key !== undefined;
    },

    async ping() {},
    isBusy: () => false,
    connections: () => undefined,
    createRateLimiter: createMemoryRateLimiter,
    async close() {},
  };
}

/** The animals of an import that are not stored yet, each with its id. */
function newPets(imported: readonly ImportedPet[], stored: ReadonlyMap<bigint, Pet>, lastId: number): Pet[] {
  const added = new Map<bigint, Pet>();
  let last = lastId;
  for (const pet of imported) {
    const { name, categoryId, status } = canonicalFields(pet);
    const id = canonical(pet.id ?? nextId(last));
    const present = stored.get(BigInt(id)) ?? added.get(BigInt(id));
    if (present === undefined) added.set(BigInt(id), { id, name, categoryId, status });
    else if (present.name !== name || present.categoryId !== categoryId || present.status !== status) {
      throw new ImportConflictError(id);
    }
    last = numberingAfter(id, last);
  }
  return [...added.values()];
}

function nextId(last: number): number {
  if (last === reservedIds.maximum) throw noIdIsLeft();
  return last + 1;
}

/** The id to number on from, once `id` is taken. */
function numberingAfter(id: Int64, last: number): number {
  return typeof id === "number" && id > last ? id : last;
}

function canonicalFields({ name, categoryId, status }: PetFields): PetFields {
  return { name, categoryId: canonical(categoryId), status };
}

function canonical(value: Int64): Int64 {
  return toInt64(BigInt(value));
}

function insertSorted(list: Pet[], pet: Pet): void {
  list.splice(indexAfter(list, pet.id), 0, pet);
}

function page<Item extends { id: Int64 }>(sorted: readonly Item[], { after, limit }: PageQuery): Item[] {
  const start = after === undefined ? 0 : indexAfter(sorted, after);
  return sorted.slice(start, start + limit);
}

/** The index of the first item with an id above `after`. */
function indexAfter(sorted: readonly { id: Int64 }[], after: Int64): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.id ?? after) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}
