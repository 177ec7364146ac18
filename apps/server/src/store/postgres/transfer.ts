import { reservedIds, toInt64, type Int64 } from "@petstore/contract";
import {
  ImportConflictError,
  outOfIdsError,
  type ImportCount,
  type ImportedPet,
  type Source,
  type StoredItem,
} from "@petstore/service";
import { petSql } from "../rows.ts";
import { statements, type Session, type Statement } from "./database.ts";
import { petRow, type PetRow } from "./pets.ts";

/** How many rows one statement stores. */
const batchSize = 1_000;

/** Stores animals in the given order, and numbers those without an id. Creations wait until it finishes. */
export async function importPets(
  session: Session,
  pets: Source<ImportedPet>,
  mayReplace: boolean,
): Promise<ImportCount> {
  const [[firstLastId] = ["0"]] = await session.run<[string]>(sql.lockNumbering);
  const largest = BigInt(reservedIds.maximum);
  let lastId = BigInt(firstLastId);
  const numbered = ({ id: givenId, ...pet }: ImportedPet): PetRow => {
    if (givenId === undefined && lastId === largest) throw outOfIdsError();
    const id = givenId === undefined ? lastId + 1n : BigInt(givenId);
    if (id > lastId && id <= largest) lastId = id;
    return petRow({ ...pet, id });
  };
  return await putRows(session, sql.putPets, pets, numbered, (changedId) => {
    if (!mayReplace) throw new ImportConflictError(toInt64(BigInt(changedId)));
  });
}

export function importOrders(session: Session, orders: Source<StoredItem>): Promise<ImportCount> {
  return putRows(session, sql.putOrders, orders, ({ id, json }) => [String(id), json]);
}

/**
 * Stores rows with a statement, many at a time, while the next ones are read. Calls `changed` for each row that replaced another, in
 * the order of the rows.
 */
async function putRows<Item>(
  session: Session,
  statement: Statement,
  items: Source<Item>,
  rowFrom: (item: Item) => Row,
  changed: (id: string) => void = () => {},
): Promise<ImportCount> {
  await session.run(sql.waitForItems); // reading and validating a large file can take minutes
  const count: ImportCount = { stored: 0, changed: 0, skipped: 0 };
  // A map, because one statement must not change a row twice.
  let rows = new Map<string, Row>();
  let putting = Promise.resolve();
  const put = async (batch: ReadonlyMap<string, Row>) => {
    const written = await session.run<[id: string, isNew: boolean]>(statement, columns([...batch.values()]));
    const ids = new Set(written.flatMap(([id, isNew]) => (isNew ? [] : [id])));
    for (const id of batch.keys()) if (ids.has(id)) changed(id);
    count.changed += ids.size;
    count.stored += written.length - ids.size;
    count.skipped += batch.size - written.length;
  };
  /** Resolves when earlier rows are stored, and the rows read so far have been sent. */
  const putNext = async () => {
    await putting;
    if (rows.size > 0) putting = put(rows);
    putting.catch(() => {}); // awaiting it reports the error
    rows = new Map();
  };
  try {
    for await (const item of items) {
      const row = rowFrom(item);
      if (rows.size >= batchSize || rows.has(row[0])) await putNext();
      rows.set(row[0], row);
    }
  } finally {
    await putNext(); // errors of earlier items come first
    await putting;
  }
  return count;
}

/** Returns the unknown ids. If there is one, nothing is removed. */
export async function removePets(session: Session, ids: readonly string[]): Promise<Int64[]> {
  const unknown: string[] = [];
  for (const batch of batches(ids)) {
    const found = new Set((await session.run<[id: string]>(sql.lockPets, [batch])).map(([id]) => id));
    unknown.push(...batch.filter((id) => !found.has(id)));
  }
  if (unknown.length > 0) return unknown.map((id) => toInt64(BigInt(id)));
  for (const batch of batches(ids)) await session.run(sql.deletePets, [batch]);
  return [];
}

/** The values of an item, NULL for a field that it leaves out. */
type Row = readonly [id: string, ...values: (string | null)[]];

function columns(rows: readonly Row[]): (string | null)[][] {
  return rows[0]?.map((_, index) => rows.map((row) => row[index] ?? null)) ?? [];
}

function* batches<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += batchSize) yield items.slice(start, start + batchSize);
}

const { columns: petColumns, others, parameters } = petSql;

const sql = statements({
  lockPets: "SELECT id FROM pets WHERE id = ANY($1::bigint[]) FOR UPDATE",
  deletePets: "DELETE FROM pets WHERE id = ANY($1::bigint[])",
  waitForItems: "SET LOCAL idle_in_transaction_session_timeout = '1h'",
  lockNumbering: "SELECT lock_numbering()",
  // These return the rows that they wrote. `xmax = 0` marks a new row; equal rows are not written.
  putPets: `INSERT INTO pets AS old (${petColumns})
    SELECT * FROM unnest(${parameters((place, type) => `$${place}::${type}[]`)})
    ON CONFLICT (id) DO UPDATE SET ${others((column) => `${column} = EXCLUDED.${column}`)}
      WHERE ${others((column) => `old.${column} IS DISTINCT FROM EXCLUDED.${column}`, " OR ")}
    RETURNING id, xmax = 0`,
  putOrders: `INSERT INTO orders AS old (id, json) SELECT * FROM unnest($1::bigint[], $2::text[])
    ON CONFLICT (id) DO UPDATE SET json = EXCLUDED.json WHERE old.json <> EXCLUDED.json
    RETURNING id, xmax = 0`,
});
