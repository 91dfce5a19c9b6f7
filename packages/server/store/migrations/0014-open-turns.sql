-- What one human has fired and is not over, found without looking through what others have: it ends with the human.
CREATE INDEX turns_open_of_human ON turns (human_key) WHERE runner = 'server' AND state IN ('queued', 'streaming');
