CREATE TABLE pets (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  category_id INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('available', 'pending', 'sold')),
  reference TEXT
) STRICT;
CREATE INDEX pets_by_category_id ON pets (category_id, id);
CREATE INDEX pets_by_status ON pets (status, id);
CREATE INDEX pets_by_category_id_and_status ON pets (category_id, status, id);
-- Partial, so that an animal without a reference costs nothing.
CREATE UNIQUE INDEX pets_by_reference ON pets (reference) WHERE reference IS NOT NULL;

-- The largest id at the time of the last removal. New ids count on from it, or from the largest stored one.
CREATE TABLE numbering (
  last_id INTEGER NOT NULL
) STRICT;
INSERT INTO numbering (last_id) VALUES (0);

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
  revoked_at INTEGER,
  last_used_at INTEGER
) STRICT;

-- Every process keeps all keys in memory, and reads them again when this version is another one. It is random, so that no two states
-- of the keys share a version, not even after a restore. Columns that are not needed in memory can change without it.
CREATE TABLE key_version (
  version TEXT NOT NULL
) STRICT;
INSERT INTO key_version (version) VALUES (hex(randomblob(16)));
CREATE TRIGGER key_inserted AFTER INSERT ON api_keys
  BEGIN UPDATE key_version SET version = hex(randomblob(16)); END;
CREATE TRIGGER key_updated AFTER UPDATE OF id, hash, name, kind, scopes, created_at, expires_at, revoked_at ON api_keys
  BEGIN UPDATE key_version SET version = hex(randomblob(16)); END;
CREATE TRIGGER key_deleted AFTER DELETE ON api_keys
  BEGIN UPDATE key_version SET version = hex(randomblob(16)); END;

-- The changes by operators.
CREATE TABLE audit (
  number INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  operator TEXT NOT NULL,
  action TEXT NOT NULL,
  details TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_kept BEFORE DELETE ON audit BEGIN SELECT raise(ABORT, 'the audit trail only grows'); END;
CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'the audit trail only grows'); END;

-- What happened to animals, each with the animal before; NULL if it was put back. Old ones are removed.
CREATE TABLE pet_changes (
  number INTEGER PRIMARY KEY,
  pet_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  author TEXT NOT NULL,
  request_id TEXT,
  action TEXT NOT NULL,
  previous TEXT
) STRICT;
CREATE INDEX pet_changes_by_pet ON pet_changes (pet_id, number);
CREATE INDEX pet_changes_by_time ON pet_changes (at);

-- Until when what is old has been removed: see Retention. It begins with the day on which this was written, and catches up.
CREATE TABLE retention (
  time INTEGER NOT NULL
) STRICT;
INSERT INTO retention (time) VALUES (1795910400000);

-- With row ids: keys in random order change fewer pages of an index of keys than of a table of whole records.
CREATE TABLE idempotency (
  owner_id TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  pet TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (owner_id, key)
) STRICT;
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at);

CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT;
INSERT INTO secrets (name, value) VALUES ('cursor', randomblob(32));
