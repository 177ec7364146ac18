// The thread that writes animals, so that the main thread never waits for the disk.
import { parentPort, workerData } from "node:worker_threads";
import {
  StoreUnavailableError,
  type Creation,
  type Removal,
  type Update,
} from "@petstore/service/store";
import { toStoreError } from "./errors.ts";
import { openConnection } from "./open-connection.ts";
import { prepareWrites } from "./pet-writes.ts";

export interface WriterData {
  file: string;
  /**
   * How long to wait while another process holds the lock, in milliseconds. This blocks only this
   * thread.
   */
  lockTryMs: number;
  /** How long the changes of animals are kept, in milliseconds. */
  historyMs: number;
}

export type PetWrites = ReturnType<typeof prepareWrites>["writes"];

/** A write of an animal, as a call. */
type PetWrite = {
  [Method in keyof PetWrites]: { method: Method; parameters: Parameters<PetWrites[Method]> };
}[keyof PetWrites];

/**
 * A write, the last use of keys, or a probe: a write that changes nothing, to test whether the file
 * can be written.
 */
export type Item = PetWrite | KeyUse | "probe";

export type Outcome = Creation | Update | Removal;

export interface KeyUse {
  keyIds: string[];
  at: number;
}

/**
 * Why an item or a whole batch was not stored. An error sent to another thread keeps only its
 * message and stack.
 */
export interface Failure {
  outcome: "failed";
  error: Error;
  /** The reason of a `StoreUnavailableError`. */
  reason: StoreUnavailableError["reason"] | undefined;
}

/** The outcome of a batch: a result for each item, or why none was stored. */
export type Stored = (Outcome | Failure)[] | Failure;

/** Stores batches until a message asks it to stop. It responds after a batch is on disk. */
function serveBatches(
  { file, lockTryMs, historyMs }: WriterData,
  port: NonNullable<typeof parentPort>,
): void {
  const database = openConnection(file);
  database.exec(`PRAGMA busy_timeout = ${lockTryMs}`);
  // a savepoint keeps the pages that change after it, by default in a file
  database.exec("PRAGMA temp_store = MEMORY");
  const { writes, removeExpired, lookAtClock } = prepareWrites(database, historyMs);
  const noteUse = database.prepare(
    "UPDATE api_keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id IN (SELECT value FROM json_each(?))",
  );
  port.on("message", (items: Item[] | "close") => {
    if (items !== "close") return port.postMessage(store(items));
    database.close();
    port.close();
  });

  function store(items: Item[]): Stored {
    try {
      database.exec("BEGIN IMMEDIATE");
      const results = items.map(storeItem);
      removeExpired();
      database.exec("COMMIT");
      return results;
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      return failure(error);
    }
  }

  /** Sees earlier items of the batch. An item that cannot be stored leaves no trace. */
  function storeItem(item: Item): Outcome | Failure {
    database.exec("SAVEPOINT item");
    try {
      if (typeof item === "object" && "method" in item) {
        // its type says that they belong together
        const write = writes[item.method] as (...parameters: unknown[]) => Outcome;
        return write(...item.parameters);
      }
      if (item === "probe")
        for (const sign of "+-") database.exec(`UPDATE numbering SET last_id = last_id ${sign} 1`);
      else {
        noteUse.run(item.at, JSON.stringify(item.keyIds));
        lookAtClock(item.at);
      }
      return { outcome: "in_progress" }; // nobody reads it
    } catch (error) {
      // Not this item's fault. After a full disk the transaction is gone.
      if (!database.isTransaction || toStoreError(file, error) !== error) throw error;
      database.exec("ROLLBACK TO item");
      return failure(error);
    } finally {
      if (database.isTransaction) database.exec("RELEASE item");
    }
  }

  function failure(error: unknown): Failure {
    const known = toStoreError(file, error);
    const reason = known instanceof StoreUnavailableError ? known.reason : undefined;
    return { outcome: "failed", error: known as Error, reason };
  }
}

if (parentPort) serveBatches(workerData as WriterData, parentPort);
