import type { DatabaseSync } from "node:sqlite";

/** Marks a file as ours, in the header of the file: "Pets" in ASCII. */
export const applicationId = 0x50657473;

/** Each step is applied once, in order, and never changed afterwards. `user_version` counts the steps applied. */
export const migrations: readonly { name: string; sql: string }[] = [
  {
    name: "animals, orders, API keys",
    sql: `CREATE TABLE pets (
     id INTEGER PRIMARY KEY,
     name TEXT NOT NULL,
     category_id INTEGER NOT NULL,
     status TEXT NOT NULL CHECK (status IN ('available', 'pending', 'sold'))
   ) STRICT;
   CREATE INDEX pets_by_status ON pets (status, id);

   CREATE TABLE orders (
     id INTEGER PRIMARY KEY,
     json TEXT NOT NULL
   ) STRICT;

   CREATE TABLE api_keys (
     id TEXT PRIMARY KEY,
     hash BLOB NOT NULL UNIQUE,
     name TEXT NOT NULL,
     kind TEXT NOT NULL CHECK (kind IN ('live', 'test')),
     scopes TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,
     revoked_at INTEGER
   ) STRICT;

   CREATE TABLE idempotency (
     owner_id TEXT NOT NULL,
     key TEXT NOT NULL,
     fingerprint TEXT NOT NULL,
     pet TEXT NOT NULL,
     expires_at INTEGER NOT NULL,
     PRIMARY KEY (owner_id, key)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX idempotency_by_expiry ON idempotency (expires_at);

   CREATE TABLE secrets (
     name TEXT PRIMARY KEY,
     value BLOB NOT NULL
   ) STRICT;
   INSERT INTO secrets (name, value) VALUES ('cursor', randomblob(32));`,
  },
  {
    name: "changes of API keys",
    sql: `-- The server has all keys in memory, and reads what another process has changed since.
   CREATE TABLE key_changes (
     last INTEGER NOT NULL, -- the number of the last change
     removals INTEGER NOT NULL -- no row tells that a key has gone: after that all are read again
   ) STRICT;
   INSERT INTO key_changes (last, removals) VALUES (0, 0);
   ALTER TABLE api_keys ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
   CREATE INDEX api_keys_by_change ON api_keys (change);

   CREATE TRIGGER key_inserted AFTER INSERT ON api_keys BEGIN
     UPDATE key_changes SET last = last + 1;
     UPDATE api_keys SET change = (SELECT last FROM key_changes) WHERE id = NEW.id;
   END;
   CREATE TRIGGER key_updated AFTER UPDATE OF id, hash, name, kind, scopes, created_at, expires_at, revoked_at ON api_keys BEGIN
     UPDATE key_changes SET last = last + 1, removals = removals + (OLD.hash <> NEW.hash);
     UPDATE api_keys SET change = (SELECT last FROM key_changes) WHERE id = NEW.id;
   END;
   CREATE TRIGGER key_deleted AFTER DELETE ON api_keys BEGIN
     UPDATE key_changes SET removals = removals + 1;
   END;`,
  },
];

/** Applies the steps that are missing, under the write lock, so that of several processes one does it. */
export function migrate(database: DatabaseSync): void {
  if (Number(readPragma(database, "user_version")) === migrations.length) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    const applied = Number(readPragma(database, "user_version"));
    for (const { sql } of migrations.slice(applied)) database.exec(sql);
    database.exec(`PRAGMA user_version = ${migrations.length}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

export function readPragma(database: DatabaseSync, name: string): unknown {
  const row = database.prepare(`PRAGMA ${name}`).get();
  return row && Object.values(row)[0];
}
