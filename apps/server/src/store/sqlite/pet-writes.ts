import type { DatabaseSync } from "node:sqlite";
import { parseJson, stringifyJson, toInt64, type Int64 } from "@petstore/contract/int64";
import type { Pet, PetChanges, PetFields } from "@petstore/contract/pet";
import { reservedIds } from "@petstore/contract/rules";
import {
  outOfIdsError,
  withChanges,
  type Author,
  type ChangeOptions,
  type Creation,
  type Idempotency,
  type ImportedPet,
  type PetChange,
  type Removal,
  type Update,
} from "@petstore/service/store";
import { petSql } from "../pet-columns.ts";
import { Retention, retentionSql } from "../retention.ts";
import { all } from "./open-connection.ts";
import { petRow, toPet, type PetRow } from "./pet-rows.ts";

/** How many expired records one new record removes. More than one, so that they cannot pile up. */
const expiredPerRecord = 10;

/** The options of a change whose author is known. */
export type AuthoredOptions = ChangeOptions & { author: Author };

/**
 * The largest id that was ever used, from the table `numbering`. Larger imported ids do not count,
 * so that new ids are exact in every JavaScript client. The largest stored id has its own subquery,
 * which SQLite reads from the end of the table. As part of a larger query it would scan the whole
 * table.
 */
export const largestId = `max(last_id, (SELECT coalesce(max(id), 0) FROM pets WHERE id BETWEEN 1 AND ${reservedIds.maximum}))`;

/** @param keptMs how long things are kept, in milliseconds */
export function openRetention(database: DatabaseSync, keptMs: number): Retention {
  const [[time] = [0n]] = all<[bigint]>(database.prepare(retentionSql.read));
  return new Retention(Number(time), keptMs);
}

/**
 * Functions that write animals through a connection. Call them in a transaction.
 * @param historyMs how long changes are kept, in milliseconds
 */
export function prepareWrites(database: DatabaseSync, historyMs: number) {
  const { columns, others } = petSql;
  const sql = {
    insertPet: database.prepare(
      `INSERT INTO pets (${columns})
       SELECT last + 1, ${others(() => "?")} FROM (
         SELECT ${largestId} AS last FROM numbering)
       WHERE last < ${reservedIds.maximum}
       RETURNING ${columns}`,
    ),
    getPet: database.prepare(`SELECT ${columns} FROM pets WHERE id = ?`),
    changePet: database.prepare(
      `UPDATE pets SET ${others((column, place) => `${column} = ?${place}`)}
       WHERE id = ?1 AND (${others((column, place) => `${column} IS NOT ?${place}`, " OR ")})`,
    ),
    getOwner: database.prepare("SELECT id FROM pets WHERE reference = ? AND id IS NOT ?"),
    deletePet: database.prepare("DELETE FROM pets WHERE id = ?"),
    keepNumbering: database.prepare(`UPDATE numbering SET last_id = ${largestId}`),
    putChange: database.prepare(
      "INSERT INTO pet_changes (pet_id, at, author, request_id, action, previous) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    lastAction: database.prepare(
      "SELECT action FROM pet_changes WHERE pet_id = ? ORDER BY number DESC LIMIT 1",
    ),
    deleteOldChanges: database.prepare(
      `DELETE FROM pet_changes WHERE number IN
         (SELECT number FROM pet_changes WHERE at <= ? ORDER BY at LIMIT ${expiredPerRecord})`,
    ),
    advanceRetention: database.prepare(retentionSql.advance("?1")),
    getRecord: database.prepare(
      "SELECT fingerprint, pet FROM idempotency WHERE owner_id = ? AND key = ? AND expires_at > ?",
    ),
    putRecord: database.prepare(
      "INSERT OR REPLACE INTO idempotency (owner_id, key, fingerprint, pet, expires_at) VALUES (?, ?, ?, ?, ?)",
    ),
    deleteExpired: database.prepare(
      `DELETE FROM idempotency WHERE rowid IN
         (SELECT rowid FROM idempotency WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
    ),
  };
  const retention = openRetention(database, historyMs);
  /** The records of this transaction. */
  let records = { count: 0, now: 0 };

  function insertPet(pet: PetFields): Pet {
    const [, ...values] = petRow({ id: 0, ...pet });
    const [row] = all<PetRow>(sql.insertPet, ...values);
    if (row === undefined) throw outOfIdsError();
    return toPet(row);
  }

  /**
   * The id of another animal that has the reference of this one. The caller holds the write lock,
   * so it stays true.
   */
  function ownerOf({ id, reference }: Pick<ImportedPet, "id" | "reference">): Int64 | undefined {
    if (reference === undefined) return undefined;
    const [[owner] = []] = all<[bigint]>(
      sql.getOwner,
      reference,
      id === undefined ? null : BigInt(id),
    );
    return owner === undefined ? undefined : toInt64(owner);
  }

  /** Writes an animal only once for an idempotency key. */
  function once<Outcome extends { outcome: string; pet?: Pet }>(
    request: Idempotency | undefined,
    write: () => Outcome,
  ): Outcome | { outcome: "replayed"; pet: Pet } | { outcome: "reused" } {
    if (request === undefined) return write();
    const { ownerId, key, fingerprint, now, expiresAt } = request;
    const [record] = all<[fingerprint: string, pet: string]>(sql.getRecord, ownerId, key, now);
    if (record !== undefined) {
      if (record[0] !== fingerprint) return { outcome: "reused" };
      return { outcome: "replayed", pet: parseJson(record[1]) as Pet };
    }
    const written = write();
    if (written.pet === undefined) return written;
    sql.putRecord.run(ownerId, key, fingerprint, stringifyJson(written.pet), expiresAt);
    records = { count: records.count + 1, now };
    return written;
  }

  /**
   * Removes some expired records, if the transaction has stored others. To be called before it is
   * committed.
   */
  function removeExpired(): void {
    if (records.count > 0) sql.deleteExpired.run(records.now, expiredPerRecord * records.count);
    records = { count: 0, now: 0 };
  }

  function createPet(pet: PetFields, request: Idempotency | undefined): Creation {
    return once(request, (): Creation => {
      const owner = ownerOf(pet);
      if (owner !== undefined) return { outcome: "reference_taken", id: owner };
      return { outcome: "created", pet: insertPet(pet) };
    });
  }

  /** Stores who changes, removes or puts back an animal, and what it was before. */
  function noteChange(id: Int64, { action, previous, at, by, requestId }: PetChange): void {
    sql.putChange.run(
      BigInt(id),
      at,
      by,
      requestId ?? null,
      action,
      previous ? stringifyJson(previous) : null,
    );
    sql.deleteOldChanges.run(lookAtClock(at));
  }

  /** Stores the time of the retention, and returns until when things are old. */
  function lookAtClock(now: number): number {
    const { time, oldUntil } = retention.at(now);
    sql.advanceRetention.run(time);
    return oldUntil;
  }

  /** Stores who puts back an animal, unless it is a new one. */
  function notePutBack(id: Int64, author: Author): void {
    const [[action] = []] = all<[PetChange["action"]]>(sql.lastAction, BigInt(id));
    if (action === "removed") noteChange(id, { ...author, action: "put_back" });
  }

  /** Changes an animal, if its options allow it. */
  function change<Outcome extends Update | Removal>(
    id: Int64,
    { ifStatus, idempotency }: AuthoredOptions,
    write: (present: Pet) => Outcome,
  ) {
    return once(idempotency, () => {
      const [row] = all<PetRow>(sql.getPet, BigInt(id));
      if (row === undefined) return { outcome: "not_found" } as const;
      const present = toPet(row);
      const { status } = present;
      if (ifStatus !== undefined && status !== ifStatus)
        return { outcome: "status_changed", status } as const;
      return write(present);
    });
  }

  function updatePet(id: Int64, changes: PetChanges, options: AuthoredOptions): Update {
    return change(id, options, (present): Update => {
      const changed = withChanges(present, changes);
      const owner = ownerOf(changed);
      if (owner !== undefined) return { outcome: "reference_taken", id: owner };
      const values = petRow(changed);
      sql.changePet.run(...values);
      noteChange(id, { ...options.author, action: "updated", previous: present });
      return { outcome: "updated", pet: toPet(values) };
    });
  }

  function deletePet(id: Int64, options: AuthoredOptions): Removal {
    return change(id, options, (pet): Removal => {
      sql.keepNumbering.run(); // its id stays used
      sql.deletePet.run(BigInt(pet.id));
      noteChange(id, { ...options.author, action: "removed", previous: pet });
      return { outcome: "removed", pet };
    });
  }

  return {
    getPet: sql.getPet,
    changePet: sql.changePet,
    insertPet,
    lookAtClock,
    noteChange,
    notePutBack,
    ownerOf,
    removeExpired,
    writes: { createPet, updatePet, deletePet },
  };
}
