-- What stands in files of messages, for the search: one row for each file that may contain text, however many messages
-- hold it. A row waits while read_at is null; without a text after that, the file has none that can be read.
CREATE TABLE file_texts (
  file_key {{int}} NOT NULL PRIMARY KEY,
  -- The person whose file it is, or whose bot's: people take turns.
  owner_key {{int}} NOT NULL,
  read_at {{int}},
  text TEXT,
  -- Written before the file is read, so that a file that ends the process is not read forever.
  tries {{int}} NOT NULL DEFAULT 0,
  -- Until then the file belongs to the node that reads it.
  claimed_until {{int}} NOT NULL DEFAULT 0
);
CREATE INDEX file_texts_waiting ON file_texts (owner_key, file_key DESC) WHERE read_at IS NULL;
-- Messages whose files were read since they were indexed. The last row always stays, so that no key is reused.
CREATE TABLE file_text_changes (key {{key}}, message_key {{int}} NOT NULL);
-- Files of earlier messages are read too.
INSERT INTO file_texts (file_key, owner_key)
  SELECT f.key, COALESCE(a.parent_key, a.key) FROM files f JOIN accounts a ON a.key = f.account_key
  WHERE f.kind = 'file' AND f.mime_type NOT LIKE 'audio/%' AND f.mime_type NOT LIKE 'video/%'
    AND EXISTS (SELECT 1 FROM message_files mf WHERE mf.file_key = f.key);
