-- What a group is about, in the words of whoever manages it; NULL for nothing.
ALTER TABLE chats ADD COLUMN description TEXT;

-- A way into a group for whoever has its token, which is here as a hash to be found by, and sealed to be shown again.
-- Behind `expires_at` the row is of no use and may go; one that was used up gets it then.
CREATE TABLE invites (
  key {{key}},
  id {{blob}} NOT NULL UNIQUE,
  chat_key {{int}} NOT NULL,
  creator_key {{int}} NOT NULL,
  token_hash {{blob}} NOT NULL UNIQUE,
  sealed TEXT NOT NULL,
  max_uses {{int}},
  uses {{int}} NOT NULL DEFAULT 0,
  created_at {{int}} NOT NULL,
  expires_at {{int}}
);
CREATE INDEX invites_chat ON invites (chat_key, key);
CREATE INDEX invites_expiry ON invites (expires_at) WHERE expires_at IS NOT NULL;
