-- What a group is about, as written by its owner or an admin; NULL for no description.
ALTER TABLE chats ADD COLUMN description TEXT;

-- Invites to a group. The token is stored as a hash, to find the invite, and sealed, to show it again. After
-- `expires_at` the row may be deleted; using up an invite sets it too.
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
