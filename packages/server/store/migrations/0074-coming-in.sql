-- 1: the account waits for approval, and may do nothing until then.
ALTER TABLE accounts ADD COLUMN pending {{int}} NOT NULL DEFAULT 0;
CREATE INDEX accounts_pending ON accounts (key) WHERE pending = 1;

-- What is set for the whole service, by name. Without a row the default holds.
CREATE TABLE service_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);

-- Invites with which people create accounts. The token is stored as a hash only. After `expires_at` the row may be deleted;
-- using up an invite sets it too.
CREATE TABLE service_invites (
  key {{key}},
  id {{blob}} NOT NULL UNIQUE,
  creator_key {{int}} NOT NULL,
  token_hash {{blob}} NOT NULL UNIQUE,
  role TEXT NOT NULL,
  -- 1: the accounts that it lets in wait for approval.
  approval {{int}} NOT NULL,
  max_uses {{int}},
  uses {{int}} NOT NULL DEFAULT 0,
  created_at {{int}} NOT NULL,
  expires_at {{int}}
);
CREATE INDEX service_invites_creator ON service_invites (creator_key, key);
CREATE INDEX service_invites_expiry ON service_invites (expires_at) WHERE expires_at IS NOT NULL;

-- The groups that come with an invite, in its order.
CREATE TABLE service_invite_chats (
  invite_key {{int}} NOT NULL,
  place {{int}} NOT NULL,
  chat_key {{int}} NOT NULL,
  PRIMARY KEY (invite_key, place)
) {{by_key}};

-- The groups that an account joins once it is approved.
CREATE TABLE pending_joins (
  account_key {{int}} NOT NULL,
  chat_key {{int}} NOT NULL,
  inviter_key {{int}} NOT NULL,
  PRIMARY KEY (account_key, chat_key)
) {{by_key}};

-- Links with which people set a new password, once. maker_key: the administrator who made it.
CREATE TABLE password_links (
  account_key {{int}} PRIMARY KEY,
  maker_key {{int}} NOT NULL,
  token_hash {{blob}} NOT NULL UNIQUE,
  expires_at {{int}} NOT NULL
);
