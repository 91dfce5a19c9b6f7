-- Blocked accounts. A block between humans covers the agents that they own.
CREATE TABLE blocks (
  account_key {{int}} NOT NULL,
  blocked_key {{int}} NOT NULL,
  created_at {{int}} NOT NULL,
  PRIMARY KEY (account_key, blocked_key)
) {{by_key}};
CREATE INDEX blocks_newest ON blocks (account_key, created_at, blocked_key);
CREATE INDEX blocks_blocked ON blocks (blocked_key);

-- For deleting an account's settings and secrets of agents.
CREATE INDEX agent_secrets_account ON agent_secrets (account_key);
CREATE INDEX override_secrets_account ON override_secrets (account_key);
CREATE INDEX agent_overrides_account ON agent_overrides (account_key);

-- Conversations without readers: their messages are deleted a few at a time.
CREATE TABLE chats_to_empty (chat_key {{int}} PRIMARY KEY);
