// The thread that stores creations, so that the one that serves never waits for the disk.
import { parentPort, workerData } from "node:worker_threads";
import type { PetFields } from "@petstore/contract/pet";
import { StoreUnavailableError, type Creation, type Idempotency } from "@petstore/service/store";
import { openConnection } from "./connection.ts";
import { toStoreError } from "./errors.ts";
import { prepareCreation } from "./pets.ts";

export interface WriterData {
  file: string;
  /** How long to wait while another process holds the lock, in milliseconds. Nobody else waits for this thread meanwhile. */
  lockTryMs: number;
}

/** Creations to store in one transaction. */
export type Batch = [pet: PetFields, request: Idempotency | undefined][];

/** Why a creation, or a whole batch, was not stored. An error that is sent to another thread keeps only its message and its stack. */
export interface Failure {
  outcome: "failed";
  error: Error;
  /** Of a `StoreUnavailableError`. */
  reason: StoreUnavailableError["reason"] | undefined;
}

/** What became of a batch: a result for each of its items, or why none was stored. */
export type Stored = (Creation | Failure)[] | Failure;

/** Serves batches until it is told to stop. Once it has responded, a batch is on disk. */
function serveBatches({ file, lockTryMs }: WriterData, port: NonNullable<typeof parentPort>): void {
  const database = openConnection(file);
  database.exec(`PRAGMA busy_timeout = ${lockTryMs}`);
  const { createPet } = prepareCreation(database);
  port.on("message", (batch: Batch | "close") => {
    if (batch !== "close") return port.postMessage(store(batch));
    database.close();
    port.close();
  });

  function store(items: Batch): Stored {
    try {
      database.exec("BEGIN IMMEDIATE");
      const results = items.map(storeItem);
      database.exec("COMMIT");
      return results;
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      return failure(error);
    }
  }

  /** Sees what those before it have stored. An item that cannot be stored leaves nothing behind. */
  function storeItem([pet, request]: Batch[number]): Creation | Failure {
    database.exec("SAVEPOINT item");
    try {
      return createPet(pet, request);
    } catch (error) {
      // Not the fault of the item. When the disk is full there is no transaction any more.
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
