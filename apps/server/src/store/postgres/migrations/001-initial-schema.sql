CREATE TABLE pets (
  id BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  category_id BIGINT NOT NULL,
  status TEXT NOT NULL,
  reference TEXT
);
CREATE INDEX pets_by_category_id ON pets (category_id, id);
CREATE INDEX pets_by_status ON pets (status, id);
CREATE INDEX pets_by_category_id_and_status ON pets (category_id, status, id);
-- Partial, so that an animal without a reference costs nothing.
CREATE UNIQUE INDEX pets_by_reference ON pets (reference) WHERE reference IS NOT NULL;

CREATE TABLE orders (
  id BIGINT PRIMARY KEY,
  json TEXT NOT NULL
);

-- The number of a row says the order. It is neither a time, because clocks step back, nor from a sequence, which is not part of the rows:
-- after a logical replication or a restore of data only, it would begin again. Each trigger below counts on from the largest number, under
-- a lock that the transaction keeps. A row that brings its number, from a dump, keeps it.

CREATE TABLE api_keys (
  number BIGINT NOT NULL UNIQUE,
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

-- The lock is that of the row of key_version.
CREATE FUNCTION number_key() RETURNS TRIGGER LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN NEW.number := 1 + coalesce((SELECT max(number) FROM api_keys), 0); RETURN NEW; END $$;
CREATE TRIGGER number_key BEFORE INSERT ON api_keys FOR EACH ROW WHEN (NEW.number IS NULL) EXECUTE FUNCTION number_key();

-- The changes by operators.
CREATE TABLE audit (
  number BIGINT PRIMARY KEY,
  at BIGINT NOT NULL,
  operator TEXT NOT NULL,
  action TEXT NOT NULL,
  details TEXT NOT NULL
);
CREATE FUNCTION keep_audit() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'the audit trail only grows'; END $$;
CREATE TRIGGER keep_audit BEFORE UPDATE OR DELETE OR TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION keep_audit();
CREATE FUNCTION number_audit() RETURNS TRIGGER LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(7356512, 846219554);
  NEW.number := 1 + coalesce((SELECT max(number) FROM audit), 0); -- a separate statement, to see what was committed before
  RETURN NEW;
END $$;
CREATE TRIGGER number_audit BEFORE INSERT ON audit FOR EACH ROW WHEN (NEW.number IS NULL) EXECUTE FUNCTION number_audit();

-- What happened to animals, each with the columns of the animal before; NULL if it was put back. Old ones are removed.
CREATE TABLE pet_changes (
  pet_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  at BIGINT NOT NULL,
  author TEXT NOT NULL,
  request_id TEXT,
  action TEXT NOT NULL,
  previous JSONB,
  PRIMARY KEY (pet_id, number)
);
CREATE INDEX pet_changes_by_time ON pet_changes (at);

-- Each animal counts for itself. The lock is that of its row, or of the numbering for one that is put back.
CREATE FUNCTION number_pet_change() RETURNS TRIGGER LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  NEW.number := 1 + coalesce((SELECT max(number) FROM pet_changes WHERE pet_id = NEW.pet_id), 0);
  RETURN NEW;
END $$;
CREATE TRIGGER number_pet_change BEFORE INSERT ON pet_changes
  FOR EACH ROW WHEN (NEW.number IS NULL) EXECUTE FUNCTION number_pet_change();

-- Until when what is old has been removed: see Retention. It begins with the day on which this was written, and catches up.
CREATE TABLE retention (
  is_only BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (is_only),
  time BIGINT NOT NULL
);
INSERT INTO retention (time) VALUES (1795910400000);

CREATE TABLE idempotency (
  owner_id TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  pet_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  category_id BIGINT NOT NULL,
  status TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  reference TEXT,
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

-- Ids of removed animals are never reused, not even of those that SQL removed by hand. Mostly there is nothing to change, and no row to wait
-- for: only the first removal after a creation has to.
CREATE FUNCTION keep_last_pet_id() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN UPDATE numbering SET last_id = last_pet_id() WHERE is_only AND last_id < last_pet_id(); RETURN NULL; END $$;
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

-- Locks animals against other writes, and waits for those that another transaction has locked only if can_wait. Always in the order of
-- their ids, so that no two calls wait for each other. Returns those that it has locked.
CREATE FUNCTION lock_pets(ids BIGINT[], can_wait BOOLEAN) RETURNS BIGINT[] LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  IF can_wait THEN RETURN ARRAY(SELECT id FROM pets WHERE id = ANY (ids) ORDER BY id FOR UPDATE); END IF;
  RETURN ARRAY(SELECT id FROM pets WHERE id = ANY (ids) ORDER BY id FOR UPDATE SKIP LOCKED);
EXCEPTION WHEN lock_not_available THEN
  RETURN lock_pets(ids, FALSE);
END $$;
