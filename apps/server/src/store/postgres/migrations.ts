/** A migration. It never changes after its release: its checksum is stored in databases. */
export interface Migration {
  version: number;
  name: string;
  /** The oldest schema version whose programs still work after this migration. */
  oldestCompatible: number;
  sql: string;
}

const initialSchema = `
CREATE TABLE pets (
  id BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  category_id BIGINT NOT NULL,
  status TEXT NOT NULL
);
CREATE INDEX pets_by_status ON pets (status, id);

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
  revoked_at BIGINT,
  last_used_at BIGINT
);

-- Every process keeps all keys in memory, and reads them again when this version is another one. It is random, so that no two states
-- of the keys share a version, not even after a restore. Columns that are not needed in memory can change without it.
CREATE TABLE key_version (
  is_only BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (is_only),
  version UUID NOT NULL
);
INSERT INTO key_version (version) VALUES (gen_random_uuid());

-- Before the change, so that transactions lock this row first, and the rows of keys afterwards.
CREATE FUNCTION change_key_version() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN UPDATE key_version SET version = gen_random_uuid(); RETURN NULL; END $$;
CREATE TRIGGER change_key_version
  BEFORE INSERT OR DELETE OR TRUNCATE OR UPDATE OF hash, id, name, kind, scopes, created_at, expires_at, revoked_at
  ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION change_key_version();

-- The changes by operators.
CREATE TABLE audit (
  number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at BIGINT NOT NULL,
  operator TEXT NOT NULL,
  action TEXT NOT NULL,
  details TEXT NOT NULL
);
CREATE FUNCTION keep_audit() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'the audit trail only grows'; END $$;
CREATE TRIGGER keep_audit BEFORE UPDATE OR DELETE OR TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION keep_audit();

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

-- Three UUIDs, because two have only 244 random bits. They come from the server's strong generator.
CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value BYTEA NOT NULL
);
INSERT INTO secrets (name, value) VALUES
  ('cursor', sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

-- The columns that rate-limiter-flexible needs. Worth nothing after a crash. Updates find room on their own page.
CREATE UNLOGGED TABLE rate_limits (
  key TEXT PRIMARY KEY,
  points INTEGER NOT NULL,
  expire BIGINT
) WITH (fillfactor = 50);

-- The largest id at the time of the last removal. New ids count on from it, or from the largest stored one. A counter would be updated
-- with every creation, and leave a dead row for each while a backup runs.
CREATE TABLE numbering (
  is_only BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (is_only),
  last_id BIGINT NOT NULL
);
INSERT INTO numbering (last_id) VALUES (0);

-- Finds the only row of numbering by its key: without one, PostgreSQL would scan the table, at the cost of a setting that forbids it.
CREATE FUNCTION last_pet_id() RETURNS BIGINT LANGUAGE sql SET enable_seqscan = off AS $$
  SELECT greatest(last_id, (SELECT max(id) FROM pets WHERE id BETWEEN 1 AND 9007199254740991)) FROM numbering WHERE is_only;
$$;

-- Ids of removed animals are never reused, not even of those that SQL removed by hand.
CREATE FUNCTION keep_last_pet_id() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN UPDATE numbering SET last_id = last_pet_id(); RETURN NULL; END $$;
CREATE TRIGGER keep_last_pet_id BEFORE DELETE OR TRUNCATE ON pets FOR EACH STATEMENT EXECUTE FUNCTION keep_last_pet_id();

-- Returns the id to number on from. Until the transaction ends nobody else numbers, so that animals are committed in the order of
-- their ids, and a walk through the pages misses none.
CREATE FUNCTION lock_numbering() RETURNS BIGINT LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7356512, 846219553);
  RETURN last_pet_id(); -- a separate statement, to see what was committed before this lock was granted
END $$;

CREATE FUNCTION check_new_id(id BIGINT) RETURNS BIGINT LANGUAGE plpgsql AS $$
BEGIN
  IF id <= 9007199254740991 THEN RETURN id; END IF;
  RAISE configuration_limit_exceeded USING MESSAGE = 'no id is left for a new animal: 9007199254740991 was used';
END $$;

-- Stores animals, each given by its columns. An item may also have the columns of an idempotency key, and the time as now: its animal is
-- stored only once. Returns one outcome per item, in input order, with the animal if there is one. No key may occur twice. New columns
-- of the tables need no new function. The settings prevent sequential scans: the tables may have been empty when the plans were made.
CREATE FUNCTION create_pets(items JSONB) RETURNS TABLE (outcome TEXT, pet pets) LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  is_in_use BOOLEAN[];
  largest_id BIGINT;
BEGIN
  -- A concurrent repeat returns in_progress at once.
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

-- Reserves the idempotency key of an item, which is like those of create_pets. Returns nothing if the key is new or there is none, and
-- otherwise why the item must not be carried out: in_progress, reused, or replayed with the animal of the first request. Unlike the
-- statement that calls it, it sees what was committed before its lock was granted. Without sequential scans, for the same reason as create_pets.
CREATE FUNCTION claim_key(item JSONB) RETURNS TABLE (outcome TEXT, pet pets) LANGUAGE plpgsql
SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  IF NOT item ? 'key' THEN RETURN; END IF;
  IF NOT pg_try_advisory_xact_lock(hashtextextended((item ->> 'owner_id') || ' ' || (item ->> 'key'), 0)) THEN
    RETURN QUERY SELECT 'in_progress', NULL::pets;
    RETURN;
  END IF;
  DELETE FROM idempotency
    WHERE owner_id = item ->> 'owner_id' AND key = item ->> 'key' AND expires_at <= (item ->> 'now')::BIGINT;
  RETURN QUERY
  SELECT CASE WHEN fingerprint = item ->> 'fingerprint' THEN 'replayed' ELSE 'reused' END,
      jsonb_populate_record(NULL::pets, to_jsonb(record) || jsonb_build_object('id', pet_id))
    FROM idempotency AS record WHERE owner_id = item ->> 'owner_id' AND key = item ->> 'key';
END $$;

-- Removes at most maximum records that expired from since to now. Returns the latest expiry that it removed, or NULL. Without
-- sequential scans, for the same reason as create_pets.
CREATE FUNCTION clear_expired(since BIGINT, now BIGINT, maximum INT) RETURNS BIGINT LANGUAGE sql SET enable_seqscan = off AS $$
  WITH removed AS (
    DELETE FROM idempotency WHERE (owner_id, key) IN (
      SELECT owner_id, key FROM idempotency WHERE expires_at BETWEEN since AND now
      ORDER BY expires_at LIMIT maximum FOR UPDATE SKIP LOCKED)
    RETURNING expires_at)
  SELECT max(expires_at) FROM removed;
$$;
`;

export const postgresMigrations: readonly Migration[] = [
  { version: 1, name: "initial schema", oldestCompatible: 1, sql: initialSchema },
];
