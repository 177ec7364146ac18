import { stringifyJson, type Int64 } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import { scopes } from "@petstore/contract/metadata";
import { orderSchema } from "@petstore/contract/order";
import { int64Schema, newPetSchema } from "@petstore/contract/pet";
import { isReservedId, reservedIds } from "@petstore/contract/rules";
import type {
  MaybePromise,
  ImportCount,
  ImportedPet,
  ImportOptions,
  Store,
  StoredKey,
  StoredItem,
} from "@petstore/service";
import { z } from "zod";

/** A validated line of NDJSON. */
export interface Line<Value = { id?: Int64 | string | undefined }> {
  /** Counted from 1. */
  number: number;
  text: string;
  value: Value;
}

/** How to import and export a collection. */
interface Rules<Schema extends z.ZodType<Line["value"]>, Item> {
  /** The schema of a line. */
  schema: Schema;
  /** The item to store for a line. */
  toItem(this: void, line: Line<z.output<Schema>>): Item;
  /** Stores all items or none. */
  importItems(
    this: void,
    store: Store,
    items: readonly Item[],
    options: ImportOptions,
  ): Promise<ImportCount>;
  /** All lines, in the order of the export. */
  exportLines(this: void, store: Store): AsyncIterable<string[]>;
}

function rules<Schema extends z.ZodType<Line["value"]>, Item>(
  of: Rules<Schema, Item>,
): Rules<z.ZodType<Line["value"]>, unknown> {
  return of;
}

const time = z.iso
  .datetime({ precision: 3, error: "must be a time like 2026-11-20T12:00:00.000Z" })
  .transform((text) => Date.parse(text));

/** A key without its secret, in the form that {@link keyLine} writes. */
const keySchema = z.object(
  {
    id: z
      .string({ error: "must be the id of a key" })
      .regex(/^key_[0-9A-Za-z]{12}$/, "must be the id of a key"),
    hash: z
      .string({ error: "must be the SHA-256 of the key in hex" })
      .regex(/^[0-9a-f]{64}$/, "must be the SHA-256 of the key in hex"),
    name: z
      .string({ error: "must be text" })
      .regex(/^[\x20-\x7e]{1,64}$/, "must be 1 to 64 printable ASCII characters"),
    kind: z.enum(["live", "test"], { error: "must be live or test" }),
    scopes: z.array(z.enum(scopes), { error: `must be a list of ${scopes.join(", ")}` }),
    createdAt: time,
    expiresAt: time.optional(),
    revokedAt: time.optional(),
  },
  { error: "must be a JSON object" },
);

function keyLine({ id, hash, name, kind, scopes: allowed, ...times }: StoredKey): string {
  const [createdAt, expiresAt, revokedAt] = [times.createdAt, times.expiresAt, times.revokedAt].map(
    (each) => (each === undefined ? undefined : new Date(each).toISOString()),
  );
  return JSON.stringify({ id, hash, name, kind, scopes: allowed, createdAt, expiresAt, revokedAt });
}

const importedIdSchema = int64Schema.refine((id) => !isReservedId(id), expected.importedId);

const largestIdSchema = int64Schema.refine(
  (id) => id >= 0 && id < reservedIds.minimum,
  `must be from 0 to ${reservedIds.minimum - 1}: new animals need the ids above it`,
);

const pageSize = 1_000;

/** Reads all pages of a list. */
async function* pages(
  list: (query: { limit: number; after: Int64 | undefined }) => MaybePromise<StoredItem[]>,
): AsyncGenerator<string[]> {
  for (let after: Int64 | undefined; ;) {
    const page = await list({ limit: pageSize, after });
    yield page.map(({ json }) => json);
    if (page.length < pageSize) return;
    after = page.at(-1)?.id;
  }
}

/** The collections that can be imported and exported. */
export const collections = {
  pets: rules({
    // Without ids, an import that was interrupted and is run again would add its first animals
    // twice.
    schema: newPetSchema
      .extend({ id: importedIdSchema.optional() })
      .refine(({ id }) => id !== undefined, {
        path: ["id"],
        error: "is required: petstore pets import needs none",
      }),
    toItem: ({ value }): ImportedPet => value,
    importItems: (store, pets, options) => store.importPets(pets, options),
    exportLines: (store) => pages((query) => store.listPets(query)),
  }),

  orders: rules({
    schema: orderSchema,
    toItem: ({ value: { id }, text }): StoredItem => ({ id, json: text }),
    importItems: (store, orders) => store.importOrders(orders),
    exportLines: (store) => pages((query) => store.listOrders(query)),
  }),

  /**
   * One line: the largest id that was ever used, also by an animal that is removed. New animals get
   * ids above it.
   */
  numbering: rules({
    schema: z.object({ id: largestIdSchema }, { error: expected.object }),
    toItem: ({ value }): Int64 => value.id,
    async importItems(store, ids) {
      const count: ImportCount = { stored: 0, changed: 0, skipped: 0 };
      for (const id of ids) count[(await store.numberAbove(id)) ? "changed" : "skipped"]++;
      return count;
    },
    async *exportLines(store) {
      yield [stringifyJson({ id: await store.largestId() })];
    },
  }),

  keys: rules({
    schema: keySchema,
    toItem: ({ value }): StoredKey => value,
    importItems: (store, keys) => store.importKeys(keys),
    async *exportLines(store) {
      yield (await store.exportKeys()).map(keyLine);
    },
  }),
};

export type Collection = keyof typeof collections;
