import type { DatabaseSync } from "node:sqlite";
import { parseJson, stringifyJson, toInt64 } from "@petstore/contract/int64";
import type { Pet, PetFields } from "@petstore/contract/pet";
import { reservedIds } from "@petstore/contract/values";
import { outOfIdsError, type Creation, type Idempotency } from "@petstore/service/store";
import { fromRow, petSql, toRow, type PetRow as Row } from "../rows.ts";
import { all } from "./connection.ts";

/** How many expired idempotency records one creation removes. More than one, so that they cannot pile up. */
const expiredPerCreation = 10;

/** A row as the connection returns it: an array in the order of the columns, with integers as bigint. */
export type PetRow = Row<bigint>;

export function petRow(pet: Pet): PetRow {
  return toRow(pet, BigInt);
}

export function toPet(row: PetRow): Pet {
  return fromRow(row, toInt64);
}

/** Functions that store new animals through a connection. Call them in a transaction. */
export function prepareCreation(database: DatabaseSync) {
  const { columns, others } = petSql;
  const sql = {
    // Larger imported ids do not count, so that new ids are exact in every JavaScript client. The largest id has its own subquery,
    // which SQLite reads from the end of the table. As part of a larger query it would scan the whole table.
    insertPet: database.prepare(
      `INSERT INTO pets (${columns})
       SELECT last + 1, ${others(() => "?")} FROM (
         SELECT max(last_id, (SELECT coalesce(max(id), 0) FROM pets WHERE id BETWEEN 1 AND ${reservedIds.maximum})) AS last
         FROM numbering)
       WHERE last < ${reservedIds.maximum}
       RETURNING ${columns}`,
    ),
    getRecord: database.prepare(
      "SELECT fingerprint, pet FROM idempotency WHERE owner_id = ? AND key = ? AND expires_at > ?",
    ),
    putRecord: database.prepare(
      "INSERT OR REPLACE INTO idempotency (owner_id, key, fingerprint, pet, expires_at) VALUES (?, ?, ?, ?, ?)",
    ),
    deleteExpired: database.prepare(
      `DELETE FROM idempotency WHERE (owner_id, key) IN
         (SELECT owner_id, key FROM idempotency WHERE expires_at <= ? ORDER BY expires_at LIMIT ${expiredPerCreation})`,
    ),
  };

  function insertPet(pet: PetFields): Pet {
    const [, ...values] = petRow({ id: 0, ...pet });
    const [row] = all<PetRow>(sql.insertPet, ...values);
    if (row === undefined) throw outOfIdsError();
    return toPet(row);
  }

  function createPet(pet: PetFields, request: Idempotency | undefined): Creation {
    if (request === undefined) return { outcome: "created", pet: insertPet(pet) };
    const { ownerId, key, fingerprint, now, expiresAt } = request;
    const [record] = all<[fingerprint: string, pet: string]>(sql.getRecord, ownerId, key, now);
    if (record !== undefined) {
      if (record[0] !== fingerprint) return { outcome: "reused" };
      return { outcome: "replayed", pet: parseJson(record[1]) as Pet };
    }
    const created = insertPet(pet);
    sql.deleteExpired.run(now);
    sql.putRecord.run(ownerId, key, fingerprint, stringifyJson(created), expiresAt);
    return { outcome: "created", pet: created };
  }

  return { insertPet, createPet };
}
