-- The search index: each message's words, conversation and sender, as search/engines/postgres-words.ts writes them.
-- It can be made anew from the messages: without the row in `search_extent` it is.
CREATE TABLE message_words (message_key BIGINT PRIMARY KEY, words TSVECTOR NOT NULL);
-- A block is put on the index's list of what is pending, and sorted in before it commits: all of a word at once.
CREATE INDEX message_words_words ON message_words USING gin (words) WITH (fastupdate = on);
-- All searched messages from `from_key` to `through_key` are in it, but for those in `search_changes`.
CREATE TABLE search_extent (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  from_key BIGINT NOT NULL,
  through_key BIGINT NOT NULL
);
CREATE INDEX search_changes_message ON search_changes (message_key);
