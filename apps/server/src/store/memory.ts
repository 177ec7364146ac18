import { randomBytes } from "node:crypto";
import { petStatuses, reservedIds, toInt64, type Int64, type Pet, type PetStatus } from "@petstore/contract";
import { checkSameKey } from "./imported-key.ts";
import { createMemoryRateLimiter } from "./rate-limiter.ts";
import {
  ImportConflictError,
  noIdIsLeft,
  type ApiKey,
  type Creation,
  type ImportCount,
  type PageQuery,
  type PetFields,
  type Source,
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

  function takeOut(ids: ReadonlySet<bigint>): void {
    const taken = [...ids].filter((id) => pets.delete(id));
    if (taken.length === 0) return;
    for (const [status, list] of sortedPets)
      sortedPets.set(
        status,
        list.filter(({ id }) => !ids.has(BigInt(id))),
      );
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

    async importPets(source, { replace = false } = {}) {
      const imported = await readAll(source);
      const count: ImportCount = { stored: 0, changed: 0, skipped: 0 };
      // What is to be stored is found first, so that a conflict changes nothing.
      const changes = new Map<bigint, Pet>();
      let last = lastPetId;
      for (const pet of imported) {
        const id = canonical(pet.id ?? nextId(last));
        const next = { id, ...canonicalFields(pet) };
        const present = changes.get(BigInt(id)) ?? pets.get(BigInt(id));
        const isEqual =
          present?.name === next.name && present.categoryId === next.categoryId && present.status === next.status;
        if (present !== undefined && !isEqual && !replace) throw new ImportConflictError(id);
        if (!isEqual) changes.set(BigInt(id), next);
        count[present === undefined ? "stored" : isEqual ? "skipped" : "changed"]++;
        last = numberingAfter(id, last);
      }
      takeOut(new Set(changes.keys()));
      addPets([...changes.values()]);
      return count;
    },

    async removePets(ids) {
      const removed = new Set(ids.map(BigInt));
      const unknown = [...removed].filter((id) => !pets.has(id));
      if (unknown.length === 0) takeOut(removed);
      return unknown.map(toInt64);
    },

    async listOrders(query) {
      return page(sortedOrders, query);
    },

    async importOrders(source) {
      const count: ImportCount = { stored: 0, changed: 0, skipped: 0 };
      for (const { id, json } of await readAll(source)) {
        const present = orders.get(BigInt(id));
        count[present === undefined ? "stored" : present.json === json ? "skipped" : "changed"]++;
        orders.set(BigInt(id), { id: canonical(id), json });
      }
      sortedOrders = [...orders.values()].toSorted((left, right) => (left.id < right.id ? -1 : 1));
      return count;
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
      return { stored: added.length, changed: 0, skipped: imported.length - added.length };
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

async function readAll<Item>(source: Source<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of source) items.push(item);
  return items;
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
