-- Preferences as JSON; an account or a device without a row has everything on.
CREATE TABLE notification_prefs (account_key {{int}} PRIMARY KEY, prefs TEXT NOT NULL);
-- By the session's public id, which nobody is given again, as a row's key may be.
CREATE TABLE device_prefs (session_id {{blob}} PRIMARY KEY, prefs TEXT NOT NULL);

-- `address` is what a push service knows the device by: a device token, or the endpoint of a subscription, whose keys
-- are in `token` too. `session_id` is null for one that was registered with a token without a session.
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

-- Messages that somebody may still have to be told of: written with the message, so that a crash loses none.
CREATE TABLE push_queue (message_key {{int}} PRIMARY KEY, chat_key {{int}} NOT NULL, sender_key {{int}} NOT NULL);

-- 0: nobody in the conversation has a push token. 1: somebody may have one.
ALTER TABLE chats ADD COLUMN may_push {{int}} NOT NULL DEFAULT 0;
