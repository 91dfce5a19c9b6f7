-- Incoming webhooks: secret addresses whose posts become messages. Each sends as an account of its own, which belongs to
-- the person who made it. channel_key: 0 for #all.
CREATE TABLE webhooks (
  account_key {{int}} PRIMARY KEY,
  id {{blob}} NOT NULL UNIQUE,
  chat_key {{int}} NOT NULL,
  channel_key {{int}} NOT NULL,
  token_hash {{blob}} NOT NULL UNIQUE,
  created_at {{int}} NOT NULL
) {{by_key}};
CREATE INDEX webhooks_chat ON webhooks (chat_key);
