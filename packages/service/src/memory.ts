import { filterNames } from "@petstore/contract/fields";
import { stringifyJson, toInt64, type Int64 } from "@petstore/contract/int64";
import { petSchema, type Pet, type PetFields } from "@petstore/contract/pet";
import { reservedIds } from "@petstore/contract/rules";
import { createMemoryKeys } from "./memory-keys.ts";
import { createMemoryRateLimiter } from "./rate-limiter.ts";
import {
  ImportConflictError,
  ImportedReferences,
  outOfIdsError,
  withChanges,
  type Author,
  type Creation,
  type Idempotency,
  type ImportCount,
  type ImportedPet,
  type ChangeOptions,
  type PageQuery,
  type PetChange,
  type PetQuery,
  type ReferenceTaken,
  type Removal,
  type Store,
  type StoredItem,
  type Update,
} from "./store.ts";

export interface MemoryStoreOptions {
  /** Signs page cursors: 32 random bytes. */
  cursorSecret: Uint8Array;
  /** Milliseconds since 1970. */
  now: () => number;
  pets?: readonly ImportedPet[];
  orders?: readonly StoredItem[];
}

export interface MemoryStore extends Store {
  /** The animals that are stored now, in ascending order of id. */
  readonly pets: readonly Pet[];
}

/**
 * A store without persistence: its content is lost when the process ends. For tests and for trying
 * out the service.
 */
export function createMemoryStore({
  cursorSecret,
  now,
  ...initial
}: MemoryStoreOptions): MemoryStore {
  const pets: Pet[] = []; // sorted by id
  const orders: StoredItem[] = [];
  const changes: { id: Int64; what: PetChange }[] = [];
  const idempotency = new Map<string, { fingerprint: string; pet: Pet; expiresAt: number }>();
  let lastPetId = 0;

  function addPet(pet: Pet): void {
    lastPetId = lastIdAfter(pet.id, lastPetId);
    pets.splice(indexAfter(pets, pet.id), 0, pet);
  }

  /** Writes an animal only once for an idempotency key. */
  function once<Outcome extends { outcome: string; pet?: Pet }>(
    request: Idempotency | undefined,
    write: () => Outcome,
  ): Outcome | { outcome: "replayed"; pet: Pet } | { outcome: "reused" } {
    if (request === undefined) return write();
    const { fingerprint, now: at, expiresAt } = request;
    const recordKey = `${request.ownerId} ${request.key}`;
    const record = idempotency.get(recordKey);
    if (record && record.expiresAt > at)
      return record.fingerprint === fingerprint
        ? { outcome: "replayed", pet: record.pet }
        : { outcome: "reused" };
    const written = write();
    if (written.pet === undefined) return written;
    for (const [key, each] of idempotency) {
      if (each.expiresAt > at) break; // in order of insertion, so the rest expire later
      idempotency.delete(key);
    }
    idempotency.set(recordKey, { fingerprint, pet: written.pet, expiresAt });
    return written;
  }

  /** The outcome of a write that would give an animal the reference of another one. */
  function takenReference(given: PetFields, own?: Int64): ReferenceTaken | undefined {
    if (given.reference === undefined) return undefined;
    const owner = pets.find(({ id, reference }) => reference === given.reference && id !== own);
    return owner && { outcome: "reference_taken", id: owner.id };
  }

  function note(id: Int64, what: PetChange): void {
    if (changes.push({ id, what }) > maxChanges) changes.shift();
  }

  function wasRemoved(pet: Pet): boolean {
    return changes.findLast(({ id }) => id === pet.id)?.what.action === "removed";
  }

  function operatorNow(): Author {
    return { at: now(), by: "operator" };
  }

  /** Changes an animal, if its options allow it. */
  function change<Outcome extends Update | Removal>(
    id: Int64,
    { ifStatus, idempotency: request, author = operatorNow() }: ChangeOptions = {},
    write: (present: Pet, author: Author) => Outcome,
  ) {
    return once(request, () => {
      const present = find(pets, id);
      if (present === undefined) return { outcome: "not_found" } as const;
      const { status } = present;
      if (ifStatus !== undefined && status !== ifStatus)
        return { outcome: "status_changed", status } as const;
      return write(present, author);
    });
  }

  function remove(removed: readonly Pet[]): void {
    const ids = new Set(removed.map(({ id }) => id)); // in canonical form
    const kept = pets.filter(({ id }) => !ids.has(id));
    pets.length = 0;
    for (const pet of kept) pets.push(pet);
  }

  function importPets(imported: readonly ImportedPet[], replace: boolean): ImportCount {
    const count: ImportCount = { stored: 0, changed: 0, skipped: 0 };
    // Collects all changes before it applies them, so that a conflict changes nothing.
    const written = new Map<bigint, Pet>();
    const replaced: Pet[] = [];
    const references = new ImportedReferences(
      pets.flatMap(({ id, reference }) => (reference === undefined ? [] : [[reference, id]])),
    );
    let last = lastPetId;
    for (const each of imported) {
      references.claim(each, each.id);
      const pet = canonical(each.id ?? nextId(last), each);
      const id = BigInt(pet.id);
      const present = written.get(id) ?? find(pets, id);
      const isSame =
        present !== undefined && fieldNames.every((name) => present[name] === pet[name]);
      references.claim(each, pet.id);
      if (present !== undefined && !isSame && !replace) throw new ImportConflictError(pet.id);
      if (!isSame) written.set(id, pet);
      if (present !== undefined && !isSame) replaced.push(present);
      count[present === undefined ? "stored" : isSame ? "skipped" : "changed"]++;
      last = lastIdAfter(pet.id, last);
    }
    remove(replaced);
    for (const pet of replaced)
      note(pet.id, { ...operatorNow(), action: "updated", previous: pet });
    for (const pet of written.values()) {
      if (wasRemoved(pet)) note(pet.id, { ...operatorNow(), action: "put_back" });
      addPet(pet);
    }
    return count;
  }

  function importOrders(imported: readonly StoredItem[]): ImportCount {
    const count: ImportCount = { stored: 0, changed: 0, skipped: 0 };
    for (const { id, json } of imported) {
      const present = find(orders, id);
      const isSame = present?.json === json;
      count[present === undefined ? "stored" : isSame ? "skipped" : "changed"]++;
      const order = { id: toInt64(BigInt(id)), json };
      orders.splice(indexAfter(orders, id) - (present ? 1 : 0), present ? 1 : 0, order);
    }
    return count;
  }

  importPets(initial.pets ?? [], false);
  importOrders(initial.orders ?? []);

  return {
    ...createMemoryKeys(),
    cursorSecret,
    pets,

    listPets: ({ limit, after, ...filters }) =>
      slicePage(pets, { limit, after }, (pet) => hasValues(pet, filters)).map((pet) => ({
        id: pet.id,
        json: stringifyJson(pet),
      })),

    getPet: (id) => find(pets, id),

    createPet: async (newPet, request) =>
      once(request, (): Creation => {
        const taken = takenReference(newPet);
        if (taken) return taken;
        const pet = canonical(nextId(lastPetId), newPet);
        addPet(pet);
        return { outcome: "created", pet };
      }),

    updatePet: async (id, given, options) =>
      change(id, options, (present, author): Update => {
        const pet = canonical(present.id, withChanges(present, given));
        const taken = takenReference(pet, pet.id);
        if (taken) return taken;
        pets[indexAfter(pets, pet.id) - 1] = pet;
        note(pet.id, { ...author, action: "updated", previous: present });
        return { outcome: "updated", pet };
      }),

    deletePet: async (id, options) =>
      change(id, options, (pet, author): Removal => {
        remove([pet]);
        note(pet.id, { ...author, action: "removed", previous: pet });
        return { outcome: "removed", pet };
      }),

    importPets: async (imported, { replace = false, reserved = 0 } = {}) => {
      const count = importPets(imported, replace);
      lastPetId = lastIdAfter(reserved, lastPetId);
      return count;
    },

    largestId: async () => lastPetId,

    async numberAbove(id) {
      const before = lastPetId;
      lastPetId = lastIdAfter(toInt64(BigInt(id)), lastPetId);
      return lastPetId > before;
    },

    listOrders: (page) => slicePage(orders, page),

    importOrders: async (imported) => importOrders(imported),

    listAudit: async () => [], // commands cannot change this store
    async *listChanges(given) {
      yield changes.filter(({ id }) => BigInt(id) === BigInt(given)).map(({ what }) => what);
    },
    async ping() {},
    isBusy: () => false,
    connections: () => undefined,
    createRateLimiter: (limit) => createMemoryRateLimiter(limit, now),
    async close() {},
  };
}

/** How many changes are kept. */
const maxChanges = 10_000;

/** The id of a new animal. @throws {StoreUnavailableError} when the last possible id is taken */
function nextId(last: number): number {
  if (last === reservedIds.maximum) throw outOfIdsError();
  return last + 1;
}

/**
 * The largest id so far, after an animal with `id` was stored. The next new id follows it. Ids
 * outside 1 to 2^53 - 1 do not count.
 */
function lastIdAfter(id: Int64, last: number): number {
  return typeof id === "number" && id > last ? id : last;
}

const fieldNames = Object.keys(petSchema.shape) as (keyof Pet)[];

/** An animal with exactly the declared fields, its integers in canonical form. */
function canonical(id: Int64, fields: PetFields): Pet {
  const values: Record<string, unknown> = { ...fields, id };
  const present = fieldNames.filter((name) => values[name] !== undefined);
  return Object.fromEntries(
    present.map((name) => [name, canonicalValue(values[name])]),
  ) as unknown as Pet;
}

function canonicalValue(value: unknown): unknown {
  return typeof value === "bigint" || typeof value === "number" ? toInt64(BigInt(value)) : value;
}

function find<Item extends { id: Int64 }>(sorted: readonly Item[], id: Int64): Item | undefined {
  const item = sorted[indexAfter(sorted, id) - 1];
  return item && BigInt(item.id) === BigInt(id) ? item : undefined;
}

function slicePage<Item extends { id: Int64 }>(
  sorted: readonly Item[],
  { after, limit }: PageQuery,
  isWanted: (item: Item) => boolean = () => true,
): Item[] {
  const found: Item[] = [];
  for (
    let index = after === undefined ? 0 : indexAfter(sorted, after);
    found.length < limit;
    index++
  ) {
    const item = sorted[index];
    if (item === undefined) break;
    if (isWanted(item)) found.push(item);
  }
  return found;
}

/** Whether an animal has these values. Those that are `undefined` do not count. */
function hasValues(pet: Pet, values: Omit<PetQuery, keyof PageQuery>): boolean {
  return filterNames.every(
    (name) => values[name] === undefined || canonicalValue(values[name]) === pet[name],
  );
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
