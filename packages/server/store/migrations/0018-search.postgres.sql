-- The search index: each message's words, conversation and sender, as search/engines/postgres-words.ts writes them.
-- It can be rebuilt from the messages, and is rebuilt if `search_extent` has no row.
CREATE TABLE message_words (message_key BIGINT PRIMARY KEY, words TSVECTOR NOT NULL);
-- The rows of a block go to the index's pending list and are merged before the commit, all rows of a word together.
CREATE INDEX message_words_words ON message_words USING gin (words) WITH (fastupdate = on);
-- All searchable messages from `from_key` to `through_key` are indexed, except those in `search_changes`.
CREATE TABLE search_extent (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  from_key BIGINT NOT NULL,
  through_key BIGINT NOT NULL
);
CREATE INDEX search_changes_message ON search_changes (message_key);
