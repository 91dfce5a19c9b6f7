-- Uploaded files; the bytes are in the file storage, under the id. `uses` counts the messages that hold the file.
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
  -- In bytes; 0 without a thumbnail.
  thumbnail_size {{int}} NOT NULL,
  uses {{int}} NOT NULL DEFAULT 0,
  created_at {{int}} NOT NULL
);
CREATE INDEX files_unused ON files (created_at) WHERE uses = 0;
CREATE INDEX files_unused_of ON files (account_key, created_at) WHERE uses = 0;

CREATE TABLE message_files (
  message_key {{int}} NOT NULL,
  file_key {{int}} NOT NULL,
  -- The channel of the message; 0 for #all.
  channel_key {{int}} NOT NULL,
  PRIMARY KEY (message_key, file_key)
) {{by_key}};
CREATE INDEX message_files_file ON message_files (file_key, message_key);
CREATE INDEX message_files_channel ON message_files (channel_key) WHERE channel_key <> 0;

-- Images of accounts; anyone who knows the name of an image may see it.
CREATE TABLE avatars (account_key {{int}} PRIMARY KEY, name TEXT NOT NULL UNIQUE, size {{int}} NOT NULL);

-- Stored bytes that no row refers to, or not yet: they are removed when they are due.
CREATE TABLE files_to_remove (name TEXT PRIMARY KEY, due_at {{int}} NOT NULL);
CREATE INDEX files_to_remove_due ON files_to_remove (due_at);
