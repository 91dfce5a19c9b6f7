-- Finds the open turns of one human, which end when the human's account is deleted.
CREATE INDEX turns_open_of_human ON turns (human_key) WHERE runner = 'server' AND state IN ('queued', 'streaming');
