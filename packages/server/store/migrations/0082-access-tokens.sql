-- Tokens of people for programs. scopes: words separated by spaces. chat_ids: a JSON list of the public ids of the only
-- conversations that exist for the token; NULL for all. expires_at: NULL for never.
CREATE TABLE access_tokens (
  key {{key}},
  id {{blob}} NOT NULL UNIQUE,
  account_key {{int}} NOT NULL,
  token_hash {{blob}} NOT NULL UNIQUE,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  chat_ids TEXT,
  created_at {{int}} NOT NULL,
  expires_at {{int}},
  last_used_at {{int}}
);
CREATE INDEX access_tokens_account ON access_tokens (account_key);
