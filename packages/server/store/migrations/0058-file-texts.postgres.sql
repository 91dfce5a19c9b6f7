-- The index of files of messages: for each file its words, and the conversation and sender of the message, without
-- positions. It can be rebuilt, as message_words can.
CREATE TABLE file_words (
  message_key BIGINT NOT NULL,
  -- The place of the file among the attachments of the message.
  place BIGINT NOT NULL,
  words TSVECTOR NOT NULL,
  PRIMARY KEY (message_key, place)
);
CREATE INDEX file_words_words ON file_words USING gin (words) WITH (fastupdate = on);
-- The files of all messages from this key on are indexed, except those in `file_text_changes`; null: of none.
ALTER TABLE search_extent ADD COLUMN files_from BIGINT;
