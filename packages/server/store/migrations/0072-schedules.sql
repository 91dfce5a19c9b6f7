-- Rows of the kind 'schedule': `input` is JSON of what is sent, by whom it is answered, and when. Their state is 'active'
-- (`due_at` is the next time), 'paused' or 'ended' (`due_at` is when the row is deleted), never 'waiting': a node of the
-- previous version leaves them alone. `last` is JSON of the last run.
ALTER TABLE scheduled ADD COLUMN last TEXT;
CREATE INDEX scheduled_due_schedules ON scheduled (state, due_at, key) WHERE kind = 'schedule';
