-- Polls: the field `poll` of the Message as JSON, with the results as they were last published. `is_stale`: votes have
-- changed since.
CREATE TABLE polls (
  message_key {{int}} PRIMARY KEY,
  value TEXT NOT NULL,
  published_at {{int}} NOT NULL,
  is_stale {{int}} NOT NULL DEFAULT 0
);
CREATE INDEX polls_stale ON polls (message_key) WHERE is_stale = 1;
-- One row for each account that has voted; bit 2^n of `options` is the option with the index n.
CREATE TABLE poll_votes (
  message_key {{int}} NOT NULL,
  account_key {{int}} NOT NULL,
  options {{int}} NOT NULL,
  voted_at {{int}} NOT NULL,
  PRIMARY KEY (message_key, account_key)
) {{by_key}};
