-- Takes the locks of a batch in order, as before, but with one statement instead of one for each lock, which cost
-- PostgreSQL several times as much.
CREATE OR REPLACE FUNCTION take_locks(ids BIGINT[], modes TEXT, OUT xid TEXT, OUT lone_batches BIGINT)
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM CASE l.mode
      WHEN 's' THEN CAST(pg_advisory_xact_lock_shared(l.id) AS TEXT)
      ELSE CAST(pg_advisory_xact_lock(l.id) AS TEXT)
    END
    FROM unnest(ids, string_to_array(modes, NULL)) AS l (id, mode);
  IF starts_with(modes, 'x') THEN PERFORM nextval('lone_batches'); END IF;
  xid := pg_current_xact_id()::TEXT;
  SELECT s.last_value INTO lone_batches FROM lone_batches s;
END $$;
