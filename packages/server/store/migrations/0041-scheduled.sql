-- What the service does for a person at a later time. kind: 'message' is sent to the conversation (`input` holds the
-- fields of sendMessage as JSON), 'reminder' reminds its account of a message. state: 'waiting', or 'failed' for a
-- message that could not be sent; `failure` is JSON of the error.
CREATE TABLE scheduled (
  key {{key}},
  id {{blob}} NOT NULL UNIQUE,
  account_key {{int}} NOT NULL,
  chat_key {{int}} NOT NULL,
  kind TEXT NOT NULL,
  message_key {{int}},
  due_at {{int}} NOT NULL,
  state TEXT NOT NULL,
  failure TEXT,
  client_msg_id TEXT,
  input TEXT NOT NULL,
  created_at {{int}} NOT NULL
);
CREATE INDEX scheduled_account ON scheduled (account_key, due_at, key);
CREATE INDEX scheduled_due ON scheduled (due_at, key) WHERE state = 'waiting';
-- The uploaded files that a message to be sent holds.
CREATE TABLE scheduled_files (
  scheduled_key {{int}} NOT NULL,
  file_key {{int}} NOT NULL,
  PRIMARY KEY (scheduled_key, file_key)
) {{by_key}};
