/** A step of the schema. Once released it never changes: further steps follow it. */
export interface Migration {
  version: number;
  name: string;
  /** The oldest schema whose programs go on working after this step: they may be started on it. */
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
];
