-- Uploads that come in several requests (tus). parts: the ends of the names of their stored pieces, in order, each with
-- a space before it. file_id: the file that the upload became; NULL until then.
CREATE TABLE open_uploads (
  key {{key}},
  id {{blob}} NOT NULL UNIQUE,
  account_key {{int}} NOT NULL,
  name TEXT NOT NULL,
  size {{int}} NOT NULL,
  received {{int}} NOT NULL DEFAULT 0,
  parts TEXT NOT NULL DEFAULT '',
  file_id {{blob}},
  created_at {{int}} NOT NULL
);
CREATE INDEX open_uploads_account ON open_uploads (account_key);
CREATE INDEX open_uploads_created ON open_uploads (created_at);
