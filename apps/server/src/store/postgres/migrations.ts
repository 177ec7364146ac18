/** A migration. It never changes after its release: its checksum is stored in databases. */
export interface Migration {
  version: number;
  name: string;
  /** The oldest schema version whose programs still work after this migration. */
  oldestCompatible: number;
  sql: string;
}

export const postgresMigrations: readonly Migration[] = [
  {
    version: 1,
    name: "animals, orders, API keys",
    oldestCompatible: 1,
    sql: `
CREATE TABLE pets (
  id BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  category_id BIGINT NOT NULL,
  status TEXT NOT NULL
);
CREATE INDEX pets_by_status ON pets (status, id);

-- The last id that was given to a new animal. Whoever adds one holds this row until the commit, so that animals are committed in
-- the order of their ids, and a walk through the pages misses none.
CREATE TABLE numbering (
  is_only BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (is_only),
  last_id BIGINT NOT NULL
);
INSERT INTO numbering (last_id) VALUES (0);

CREATE TABLE orders (
  id BIGINT PRIMARY KEY,
  json TEXT NOT NULL
);

CREATE TABLE api_keys (
  number BIGINT GENERATED ALWAYS AS IDENTITY,
  hash BYTEA PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT
);

CREATE TABLE idempotency (
  owner_id TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  pet_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  category_id BIGINT NOT NULL,
  status TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (owner_id, key)
);
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at);

CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value BYTEA NOT NULL
);
-- 256 bits of two version 4 UUIDs hold 244 random ones, from the server's strong generator.
INSERT INTO secrets (name, value) VALUES
  ('cursor', sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- Written at every request of a limited key, and worth nothing after a crash. Updates find room on their own page.
CREATE UNLOGGED TABLE rate_limits (
  key TEXT PRIMARY KEY,
  points INTEGER NOT NULL,
  expire BIGINT
) WITH (fillfactor = 50);

-- Every replica hears of a changed key at the end of the transaction that changed it.
CREATE FUNCTION announce_key() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('petstore_keys', NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER announce_key AFTER UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION announce_key();

CREATE FUNCTION create_pet(new_name TEXT, new_category_id BIGINT, new_status TEXT) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
  new_id BIGINT;
BEGIN
  UPDATE numbering SET last_id = last_id + 1 RETURNING last_id INTO new_id;
  INSERT INTO pets (id, name, category_id, status) VALUES (new_id, new_name, new_category_id, new_status);
  RETURN new_id;
END $$;

-- The same, once for each idempotency key: the outcome, and the animal.
CREATE FUNCTION create_pet_once(
  new_name TEXT, new_category_id BIGINT, new_status TEXT,
  request_owner_id TEXT, request_key TEXT, request_fingerprint TEXT, request_now BIGINT, request_expires_at BIGINT
) RETURNS TABLE (outcome TEXT, id BIGINT, name TEXT, category_id BIGINT, status TEXT) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  record idempotency%ROWTYPE;
BEGIN
  -- Whoever is second while the first is at it is told so, and does not wait.
  IF NOT pg_try_advisory_xact_lock(hashtextextended(request_owner_id || ' ' || request_key, 0)) THEN
    RETURN QUERY SELECT 'in_progress', NULL::BIGINT, NULL, NULL::BIGINT, NULL;
    RETURN;
  END IF;
  SELECT * INTO record FROM idempotency
    WHERE owner_id = request_owner_id AND key = request_key AND expires_at > request_now;
  IF FOUND THEN
    IF record.fingerprint = request_fingerprint THEN
      RETURN QUERY SELECT 'replayed', record.pet_id, record.name, record.category_id, record.status;
    ELSE
      RETURN QUERY SELECT 'reused', NULL::BIGINT, NULL, NULL::BIGINT, NULL;
    END IF;
    RETURN;
  END IF;
  id := create_pet(new_name, new_category_id, new_status);
  DELETE FROM idempotency WHERE (owner_id, key) IN (
    SELECT owner_id, key FROM idempotency WHERE expires_at <= request_now
    ORDER BY expires_at LIMIT 10 FOR UPDATE SKIP LOCKED);
  INSERT INTO idempotency VALUES
    (request_owner_id, request_key, request_fingerprint, id, new_name, new_category_id, new_status, request_expires_at)
    ON CONFLICT (owner_id, key) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, pet_id = EXCLUDED.pet_id,
      name = EXCLUDED.name, category_id = EXCLUDED.category_id, status = EXCLUDED.status, expires_at = EXCLUDED.expires_at;
  RETURN QUERY SELECT 'created', id, new_name, new_category_id, new_status;
END $$;
`,
  },
  {
    version: 2,
    name: "numbering up to 2^53 - 1",
    oldestCompatible: 1,
    sql: `
-- Imported ids above 2^52 did not count, and new animals met them.
UPDATE numbering SET last_id = greatest(last_id,
  (SELECT max(id) FROM pets WHERE id BETWEEN 1 AND 9007199254740991));

CREATE OR REPLACE FUNCTION create_pet(new_name TEXT, new_category_id BIGINT, new_status TEXT) RETURNS BIGINT
LANGUAGE plpgsql AS $$
DECLARE
  new_id BIGINT;
BEGIN
  UPDATE numbering SET last_id = last_id + 1 RETURNING last_id INTO new_id;
  IF new_id > 9007199254740991 THEN
    RAISE configuration_limit_exceeded USING MESSAGE = 'no id is left for a new animal: 9007199254740991 was used';
  END IF;
  INSERT INTO pets (id, name, category_id, status) VALUES (new_id, new_name, new_category_id, new_status);
  RETURN new_id;
END $$;
`,
  },
  {
    version: 3,
    name: "changes of API keys",
    oldestCompatible: 1,
    sql: `
-- Every process keeps all keys in memory, and asks for the changes since it last asked.
ALTER TABLE api_keys ADD COLUMN changed_in XID8 NOT NULL DEFAULT '0';
CREATE INDEX api_keys_by_change ON api_keys (changed_in, number);
CREATE FUNCTION stamp_key() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN NEW.changed_in := pg_current_xact_id(); RETURN NEW; END $$;
CREATE TRIGGER stamp_key BEFORE INSERT OR UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION stamp_key();

-- A removed key leaves no row. When this count changes, all keys are read again.
CREATE TABLE key_removals (
  is_only BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (is_only),
  count BIGINT NOT NULL
);
INSERT INTO key_removals (count) VALUES (0);
CREATE FUNCTION count_key_removal() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN UPDATE key_removals SET count = count + 1; RETURN NULL; END $$;
CREATE TRIGGER count_key_removal AFTER DELETE OR TRUNCATE OR UPDATE OF hash ON api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION count_key_removal();

-- Notifies every process of a change, once, at the end of its transaction.
DROP TRIGGER announce_key ON api_keys;
CREATE OR REPLACE FUNCTION announce_key() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN PERFORM pg_notify('petstore_keys', ''); RETURN NULL; END $$;
CREATE TRIGGER announce_key AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION announce_key();
`,
  },
  {
    version: 4,
    name: "many animals with one statement",
    oldestCompatible: 1,
    sql: `
-- The largest id that an animal has, or had when it was removed, decides the next one. A counter in one row kept a version for each
-- creation while a backup was being made, and every creation went through them all. This waits for imports that use the counter.
ALTER TABLE numbering RENAME TO numbering_floor;

-- Earlier programs read the counter only to import, which would give ids a second time, and to look at the database.
CREATE FUNCTION refuse_earlier_program() RETURNS BIGINT LANGUAGE plpgsql AS $$
BEGIN
  RAISE object_not_in_prerequisite_state USING MESSAGE = 'the database has a newer schema: use the newer program for this';
END $$;
CREATE VIEW numbering AS SELECT TRUE AS is_only, refuse_earlier_program() AS last_id;

-- Whoever removes animals, their ids are never given again.
CREATE FUNCTION keep_removed_id() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  UPDATE numbering_floor SET last_id = largest.id
    FROM (SELECT max(id) AS id FROM removed WHERE id BETWEEN 1 AND 9007199254740991) AS largest WHERE last_id < largest.id;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_removed_id AFTER DELETE ON pets REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_removed_id();
CREATE FUNCTION keep_truncated_ids() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  UPDATE numbering_floor SET last_id = largest.id
    FROM (SELECT max(id) AS id FROM pets WHERE id BETWEEN 1 AND 9007199254740991) AS largest WHERE last_id < largest.id;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_truncated_ids BEFORE TRUNCATE ON pets FOR EACH STATEMENT EXECUTE FUNCTION keep_truncated_ids();

-- What each process may let through before it counts it: of all together, and of the one that asked last.
ALTER TABLE rate_limits ADD COLUMN shares INTEGER NOT NULL DEFAULT 0, ADD COLUMN share INTEGER NOT NULL DEFAULT 0;

-- Returns the id to number on from. Until the transaction ends nobody else numbers, so that animals are committed in the order of
-- their ids, and a walk through the pages misses none.
CREATE FUNCTION lock_numbering() RETURNS BIGINT LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7356512, 846219553);
  -- A statement of its own sees what was committed before the lock was had.
  RETURN (SELECT greatest(last_id, (SELECT max(id) FROM pets WHERE id BETWEEN 1 AND 9007199254740991)) FROM numbering_floor);
END $$;

CREATE FUNCTION check_new_id(id BIGINT) RETURNS BIGINT LANGUAGE plpgsql AS $$
BEGIN
  IF id > 9007199254740991 THEN
    RAISE configuration_limit_exceeded USING MESSAGE = 'no id is left for a new animal: 9007199254740991 was used';
  END IF;
  RETURN id;
END $$;

-- Stores animals, each given by its columns. Those with the columns of an idempotency key, and the time as now, only once for each key.
-- Returns what became of each, in their order, and the animal. No key may come twice. New columns of the tables need no new function.
-- The settings keep plans from reading whole tables, which may have been empty when the plans were made.
CREATE FUNCTION create_pets(items JSONB) RETURNS TABLE (outcome TEXT, pet pets) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  is_in_use BOOLEAN[];
  largest_id BIGINT;
BEGIN
  -- Whoever is second while the first is at it is told so, and does not wait.
  is_in_use := ARRAY(
    SELECT NOT pg_try_advisory_xact_lock(hashtextextended((item ->> 'owner_id') || ' ' || (item ->> 'key'), 0))
    FROM jsonb_array_elements(items) WITH ORDINALITY AS given (item, place) ORDER BY place);
  largest_id := lock_numbering();
  DELETE FROM idempotency USING jsonb_to_recordset(items) AS item (owner_id TEXT, key TEXT, now BIGINT)
    WHERE idempotency.owner_id = item.owner_id AND idempotency.key = item.key AND expires_at <= now;
  RETURN QUERY
  WITH judged AS (
    SELECT place, item, record, CASE
        WHEN is_in_use[place] THEN 'in_progress'
        WHEN record.key IS NULL THEN 'created'
        WHEN record.fingerprint = item ->> 'fingerprint' THEN 'replayed'
        ELSE 'reused' END AS outcome
    FROM jsonb_array_elements(items) WITH ORDINALITY AS given (item, place)
      LEFT JOIN idempotency AS record ON record.owner_id = item ->> 'owner_id' AND record.key = item ->> 'key'
  ), numbered AS (
    SELECT place, outcome, CASE outcome
        WHEN 'created' THEN item || jsonb_build_object('id',
          check_new_id(largest_id + row_number() OVER (PARTITION BY outcome ORDER BY place)))
        WHEN 'replayed' THEN to_jsonb(record) || jsonb_build_object('id', (record).pet_id) END AS item
    FROM judged
  ), stored AS (
    INSERT INTO pets SELECT pet.* FROM numbered, jsonb_populate_record(NULL::pets, item) AS pet WHERE outcome = 'created'
  ), recorded AS (
    INSERT INTO idempotency
      SELECT record.* FROM numbered, jsonb_populate_record(NULL::idempotency, item || jsonb_build_object('pet_id', item -> 'id')) AS record
      WHERE outcome = 'created' AND item ? 'key'
  )
  SELECT outcome, jsonb_populate_record(NULL::pets, item) FROM numbered ORDER BY place;
END $$;

-- For servers of before, until the last has been replaced.
CREATE OR REPLACE FUNCTION create_pet(new_name TEXT, new_category_id BIGINT, new_status TEXT) RETURNS BIGINT LANGUAGE sql AS $$
  SELECT (pet).id FROM create_pets(jsonb_build_array(
    jsonb_build_object('name', new_name, 'category_id', new_category_id, 'status', new_status)));
$$;
CREATE OR REPLACE FUNCTION create_pet_once(
  new_name TEXT, new_category_id BIGINT, new_status TEXT,
  request_owner_id TEXT, request_key TEXT, request_fingerprint TEXT, request_now BIGINT, request_expires_at BIGINT
) RETURNS TABLE (outcome TEXT, id BIGINT, name TEXT, category_id BIGINT, status TEXT) LANGUAGE sql AS $$
  SELECT outcome, (pet).id, (pet).name, (pet).category_id, (pet).status FROM create_pets(jsonb_build_array(
    jsonb_build_object('name', new_name, 'category_id', new_category_id, 'status', new_status, 'owner_id', request_owner_id,
      'key', request_key, 'fingerprint', request_fingerprint, 'now', request_now, 'expires_at', request_expires_at)));
$$;
`,
  },
];
