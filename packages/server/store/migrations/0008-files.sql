-- A file that somebody uploaded; its bytes lie in the file storage under its id. `uses`: messages that hold it.
CREATE TABLE files (
  key {{key}},
  id {{blob}} NOT NULL UNIQUE,
  account_key {{int}} NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  size {{int}} NOT NULL,
  width {{int}},
  height {{int}},
  -- In bytes; 0 when it has none.
  thumbnail_size {{int}} NOT NULL,
  uses {{int}} NOT NULL DEFAULT 0,
  created_at {{int}} NOT NULL
);
CREATE INDEX files_unused ON files (created_at) WHERE uses = 0;
CREATE INDEX files_unused_of ON files (account_key, created_at) WHERE uses = 0;

CREATE TABLE message_files (
  message_key {{int}} NOT NULL,
  file_key {{int}} NOT NULL,
  -- Of the message; 0 in #all.
  channel_key {{int}} NOT NULL,
  PRIMARY KEY (message_key, file_key)
) {{by_key}};
CREATE INDEX message_files_file ON message_files (file_key, message_key);
CREATE INDEX message_files_channel ON message_files (channel_key) WHERE channel_key <> 0;

-- The image of an account, which anybody who knows its name may see.
CREATE TABLE avatars (account_key {{int}} PRIMARY KEY, name TEXT NOT NULL UNIQUE, size {{int}} NOT NULL);

-- Bytes in the storage that nothing names any more, or does not name yet: removed when they are due.
CREATE TABLE files_to_remove (name TEXT PRIMARY KEY, due_at {{int}} NOT NULL);
CREATE INDEX files_to_remove_due ON files_to_remove (due_at);
