-- Carries out writes of animals, each given by the columns of an animal: one with an id changes its other columns, or with is_removal
-- removes it, if the status is if_status or that is not given, and one without is a new animal. With the columns of an idempotency key, and the time as now, a write is
-- carried out only once. Returns an outcome for each, in input order, with the animal if there is one: that of a change is locked if another
-- transaction has locked the animal, at once or for too long, and reference_taken comes with the animal that has the reference. New columns of the tables need no new function. The setting prevents
-- sequential scans: the tables may have been empty when the plans were made.
CREATE FUNCTION write_pets(items JSONB, can_wait BOOLEAN) RETURNS TABLE (outcome TEXT, pet pets) LANGUAGE plpgsql
SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  is_in_use BOOLEAN[];
  has_new BOOLEAN;
  gives_reference BOOLEAN;
  ids BIGINT[];
  last_id BIGINT;
  update_pet TEXT;
  item JSONB;
  place BIGINT;
  kept idempotency;
  previous JSONB;
  other pets;
  has_other BOOLEAN := FALSE;
BEGIN
  -- A concurrent repeat returns in_progress at once.
  is_in_use := ARRAY(
    SELECT NOT pg_try_advisory_xact_lock(hashtextextended((item ->> 'owner_id') || ' ' || (item ->> 'key'), 0))
    FROM jsonb_array_elements(items) WITH ORDINALITY AS given (item, place) ORDER BY place);
  SELECT bool_or(NOT item ? 'id'), bool_or(item ->> 'reference' IS NOT NULL), array_agg((item ->> 'id')::BIGINT) FILTER (WHERE item ? 'id')
    INTO has_new, gives_reference, ids
    FROM jsonb_array_elements(items) WITH ORDINALITY AS given (item, place) WHERE is_in_use[place] IS NOT TRUE;
  IF ids IS NOT NULL THEN
    ids := lock_pets(ids, can_wait);
    SELECT format('UPDATE pets SET (%s) = ROW(%s) WHERE id = ($1).id',
        string_agg(quote_ident(attname), ', '), string_agg(format('($1).%I', attname), ', ')) INTO update_pet
      FROM pg_attribute WHERE attrelid = 'pets'::regclass AND attnum > 0 AND NOT attisdropped;
  END IF;
  -- Last, so that nobody waits for this lock while its owner waits for an animal. It also keeps others from giving the same reference.
  IF has_new OR gives_reference THEN last_id := lock_numbering(); END IF;

  FOR item, place IN SELECT * FROM jsonb_array_elements(items) WITH ORDINALITY ORDER BY ordinality LOOP
    outcome := CASE WHEN is_in_use[place] THEN 'in_progress' END;
    pet := NULL;
    IF is_in_use[place] IS FALSE THEN
      SELECT * INTO kept FROM idempotency WHERE owner_id = item ->> 'owner_id' AND key = item ->> 'key';
      IF kept.expires_at <= (item ->> 'now')::BIGINT THEN
        DELETE FROM idempotency WHERE owner_id = kept.owner_id AND key = kept.key;
      ELSIF FOUND THEN
        outcome := CASE WHEN kept.fingerprint = item ->> 'fingerprint' THEN 'replayed' ELSE 'reused' END;
        pet := jsonb_populate_record(NULL::pets, to_jsonb(kept) || jsonb_build_object('id', kept.pet_id));
      END IF;
    END IF;
    IF gives_reference AND outcome IS NULL THEN
      SELECT * INTO other FROM pets WHERE reference = item ->> 'reference';
      has_other := FOUND AND other.id IS DISTINCT FROM (item ->> 'id')::BIGINT;
      IF has_other AND NOT item ? 'id' THEN
        outcome := 'reference_taken';
        pet := other;
      END IF;
    END IF;
    IF outcome IS NULL AND NOT item ? 'id' THEN
      outcome := 'created';
      last_id := check_new_id(last_id + 1);
      pet := jsonb_populate_record(NULL::pets, item || jsonb_build_object('id', last_id));
      INSERT INTO pets SELECT (pet).*;
    ELSIF outcome IS NULL THEN
      SELECT * INTO pet FROM pets WHERE id = (item ->> 'id')::BIGINT;
      outcome := CASE
        WHEN NOT FOUND THEN 'not_found'
        WHEN (pet).id <> ALL (ids) THEN 'locked'
        WHEN (pet).status <> item ->> 'if_status' THEN 'status_changed'
        WHEN item ? 'is_removal' THEN 'removed'
        WHEN has_other THEN 'reference_taken'
        ELSE 'updated' END;
      previous := to_jsonb(pet);
      IF outcome = 'reference_taken' THEN
        pet := other;
      ELSIF outcome = 'removed' THEN
        DELETE FROM pets WHERE id = (pet).id;
      ELSIF outcome = 'updated' THEN
        pet := jsonb_populate_record(pet, item);
        EXECUTE update_pet USING pet;
      END IF;
      IF outcome IN ('updated', 'removed') THEN
        INSERT INTO pet_changes (pet_id, at, author, request_id, action, previous)
          VALUES ((pet).id, (item ->> 'changed_at')::BIGINT, item ->> 'changed_by', item ->> 'request_id', outcome, previous);
      END IF;
    END IF;
    IF item ? 'key' AND outcome IN ('created', 'updated', 'removed') THEN
      INSERT INTO idempotency SELECT made.* FROM jsonb_populate_record(NULL::idempotency,
        item || to_jsonb(pet) || jsonb_build_object('pet_id', (pet).id)) AS made;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;
