-- Removes at most maximum records that expired from since to now, and as many changes until old; and stores the time of the retention. Returns
-- the latest expiry that it removed, or NULL. Without sequential scans, for the same reason as write_pets.
CREATE FUNCTION clear_expired(since BIGINT, now BIGINT, reached BIGINT, old BIGINT, maximum INT) RETURNS BIGINT LANGUAGE sql SET enable_seqscan = off AS $$
  WITH advanced AS (
    UPDATE retention SET time = reached WHERE is_only AND time < reached - 10000),
  forgotten AS (
    DELETE FROM pet_changes WHERE (pet_id, number) IN (
      SELECT pet_id, number FROM pet_changes WHERE at <= old ORDER BY at LIMIT maximum FOR UPDATE SKIP LOCKED)),
  removed AS (
    DELETE FROM idempotency WHERE (owner_id, key) IN (
      SELECT owner_id, key FROM idempotency WHERE expires_at BETWEEN since AND now
      ORDER BY expires_at LIMIT maximum FOR UPDATE SKIP LOCKED)
    RETURNING expires_at)
  SELECT max(expires_at) FROM removed;
$$;
