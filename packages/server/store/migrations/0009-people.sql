-- Whom an account does not want to hear from. A human's row stands for the agents that it owns too.
CREATE TABLE blocks (
  account_key {{int}} NOT NULL,
  blocked_key {{int}} NOT NULL,
  created_at {{int}} NOT NULL,
  PRIMARY KEY (account_key, blocked_key)
) {{by_key}};
CREATE INDEX blocks_newest ON blocks (account_key, created_at, blocked_key);
CREATE INDEX blocks_blocked ON blocks (blocked_key);

-- What an account has for agents goes with it.
CREATE INDEX agent_secrets_account ON agent_secrets (account_key);
CREATE INDEX override_secrets_account ON override_secrets (account_key);
CREATE INDEX agent_overrides_account ON agent_overrides (account_key);

-- Conversations that nobody reads any more: their messages are deleted a few at a time.
CREATE TABLE chats_to_empty (chat_key {{int}} PRIMARY KEY);
