import { toInt64, type Int64 } from "@petstore/contract/int64";
import { reservedIds } from "@petstore/contract/rules";
import {
  ImportConflictError,
  ImportedReferences,
  outOfIdsError,
  type Author,
  type ImportCount,
  type ImportOptions,
  type ImportedPet,
  type StoredItem,
} from "@petstore/service/store";
import { petSql } from "../pet-columns.ts";
import { statements, type Session, type Statement } from "./database.ts";
import { petRow, toInteger, type PetRow } from "./pet-rows.ts";

/** How many rows one statement changes. */
const batchSize = 1_000;

/**
 * Stores animals in the given order, and numbers those without an id. Creations wait until it is
 * committed.
 */
export async function importPets(
  session: Session,
  pets: readonly ImportedPet[],
  { at, by }: Author,
  { replace: mayReplace = false, reserved = 0 }: ImportOptions,
): Promise<ImportCount> {
  // First, so that nobody waits for the numbering while it is held by an import that waits for an
  // animal.
  const givenIds = pets.flatMap(({ id }) => (id === undefined ? [] : [String(id)]));
  await session.run(sql.lockPets, [givenIds]);
  const [[firstLastId] = ["0"]] = await session.run<[string]>(sql.lockNumbering);
  await session.run(sql.lockPets, [givenIds]); // those that others have imported meanwhile
  const largest = BigInt(reservedIds.maximum);
  let lastId = BigInt(firstLastId);
  const given = pets.flatMap(({ reference = [] }) => reference);
  const owners = given.length > 0 ? await session.run<[string, string]>(sql.owners, [given]) : [];
  const references = new ImportedReferences(
    owners.map(([reference, id]) => [reference, toInteger(id)]),
  );
  function* numbered(): Generator<PetRow> {
    for (const { id: givenId, ...pet } of pets) {
      references.claim(pet, givenId);
      if (givenId === undefined && lastId === largest) throw outOfIdsError();
      const id = givenId === undefined ? lastId + 1n : BigInt(givenId);
      if (id > lastId && id <= largest) lastId = id;
      references.claim(pet, id);
      yield petRow({ ...pet, id });
    }
  }
  await session.run(sql.reserve, [String(reserved)]);
  return await putRows(session, sql.putPets, numbered(), [at, by], (changedId) => {
    if (!mayReplace) throw new ImportConflictError(toInt64(BigInt(changedId)));
  });
}

/** Resolves to whether this changes the ids of new animals. */
export async function raiseNumbering(session: Session, id: Int64): Promise<boolean> {
  const [[lastId] = ["0"]] = await session.run<[string | null]>(sql.lockNumbering);
  if (BigInt(id) <= BigInt(lastId ?? 0)) return false;
  await session.run(sql.reserve, [String(id)]);
  return true;
}

export function importOrders(
  session: Session,
  orders: readonly StoredItem[],
): Promise<ImportCount> {
  return putRows(
    session,
    sql.putOrders,
    orders.map(({ id, json }): Row => [String(id), json]),
  );
}

/**
 * Stores rows with a statement, which takes their columns and `more`. Calls `changed` for each row
 * that replaced another, in the order of the rows.
 */
async function putRows(
  session: Session,
  statement: Statement,
  rows: Iterable<Row>,
  more: readonly unknown[] = [],
  changed: (id: string) => void = () => {},
): Promise<ImportCount> {
  const count: ImportCount = { stored: 0, changed: 0, skipped: 0 };
  for (const batch of withoutRepeats(rows)) {
    const written = await session.run<[id: string, isNew: boolean]>(statement, [
      ...columns(batch),
      ...more,
    ]);
    const ids = new Set(written.flatMap(([id, isNew]) => (isNew ? [] : [id])));
    for (const [id] of batch) if (ids.has(id)) changed(id);
    count.changed += ids.size;
    count.stored += written.length - ids.size;
    count.skipped += batch.length - written.length;
  }
  return count;
}

/** Groups of rows without two of the same id: one statement must not change a row twice. */
function* withoutRepeats(rows: Iterable<Row>): Generator<Row[]> {
  let group = new Map<string, Row>();
  try {
    for (const row of rows) {
      if (group.has(row[0]) || group.size >= batchSize) {
        yield [...group.values()];
        group = new Map();
      }
      group.set(row[0], row);
    }
  } finally {
    if (group.size > 0) yield [...group.values()]; // errors of earlier rows come first
  }
}

/** The values of an item, NULL for a field that it leaves out. */
type Row = readonly [id: string, ...values: (string | null)[]];

function columns(rows: readonly Row[]): (string | null)[][] {
  return rows[0]?.map((_, index) => rows.map((row) => row[index] ?? null)) ?? [];
}

const { columns: petColumns, others, parameters, count } = petSql;

const sql = statements({
  lockPets: "SELECT id FROM pets WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE",
  owners: "SELECT reference, id FROM pets WHERE reference = ANY($1::text[])",
  lockNumbering: "SELECT lock_numbering()",
  reserve: `UPDATE numbering SET last_id = $1 WHERE $1 > last_id AND $1 <= ${reservedIds.maximum}`,
  // These return the rows that they wrote. `xmax = 0` marks a new row; equal rows are not written.
  // Rows are locked in the order of their ids, as by every other write.
  putPets: `WITH given AS (
      SELECT * FROM unnest(${parameters((place, type) => `$${place}::${type}[]`)})
        AS given (${petColumns})),
    noted AS (
      INSERT INTO pet_changes (pet_id, at, author, action, previous)
      SELECT id, $${count + 1}::bigint, $${count + 2}::text,
        CASE WHEN old.id IS NULL THEN 'put_back' ELSE 'updated' END, to_jsonb(old)
      FROM given LEFT JOIN pets AS old USING (id)
      WHERE CASE WHEN old.id IS NULL
        THEN 'removed' =
          (SELECT action FROM pet_changes WHERE pet_id = given.id ORDER BY number DESC LIMIT 1)
        ELSE ${others((column) => `old.${column} IS DISTINCT FROM given.${column}`, " OR ")} END)
    INSERT INTO pets AS old (${petColumns}) SELECT * FROM given ORDER BY 1
    ON CONFLICT (id) DO UPDATE SET ${others((column) => `${column} = EXCLUDED.${column}`)}
      WHERE ${others((column) => `old.${column} IS DISTINCT FROM EXCLUDED.${column}`, " OR ")}
    RETURNING id, xmax = 0`,
  putOrders: `INSERT INTO orders AS old (id, json)
    SELECT * FROM unnest($1::bigint[], $2::text[]) ORDER BY 1
    ON CONFLICT (id) DO UPDATE SET json = EXCLUDED.json WHERE old.json <> EXCLUDED.json
    RETURNING id, xmax = 0`,
});
