-- Preferences as JSON; for an account or a device without a row everything is enabled.
CREATE TABLE notification_prefs (account_key {{int}} PRIMARY KEY, prefs TEXT NOT NULL);
-- By the session's public id, which is never reused, while the key of a row may be.
CREATE TABLE device_prefs (session_id {{blob}} PRIMARY KEY, prefs TEXT NOT NULL);

-- `address` identifies the device at its push service: a device token, or the endpoint of a subscription, whose keys
-- are in `token`. `session_id` is null if the caller that registered the token had no session.
CREATE TABLE push_tokens (
  key {{key}},
  platform TEXT NOT NULL,
  address TEXT NOT NULL,
  token TEXT NOT NULL,
  account_key {{int}} NOT NULL,
  session_id {{blob}},
  registered_at {{int}} NOT NULL
);
CREATE UNIQUE INDEX push_tokens_address ON push_tokens (address, platform);
CREATE INDEX push_tokens_account ON push_tokens (account_key);
CREATE INDEX push_tokens_session ON push_tokens (session_id) WHERE session_id IS NOT NULL;

-- Messages whose pushes are not sent yet: written with the message, so that a crash loses none.
CREATE TABLE push_queue (message_key {{int}} PRIMARY KEY, chat_key {{int}} NOT NULL, sender_key {{int}} NOT NULL);

-- 0: no participant has a push token. 1: a participant may have one.
ALTER TABLE chats ADD COLUMN may_push {{int}} NOT NULL DEFAULT 0;
