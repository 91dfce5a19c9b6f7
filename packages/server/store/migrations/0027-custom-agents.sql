-- The server that an agent's model runs on, if it is not the provider's, and what it is sent of a conversation as JSON
-- (null means the default).
ALTER TABLE agent_config ADD COLUMN base_url TEXT;
ALTER TABLE agent_config ADD COLUMN context TEXT;
-- 1: only its owner may start a direct chat with the agent. is_public takes precedence.
ALTER TABLE accounts ADD COLUMN is_private {{int}} NOT NULL DEFAULT 0;
-- The origin that a key is for; null for the provider's own, and for secrets of bots. A key is sent nowhere else.
ALTER TABLE agent_secrets ADD COLUMN origin TEXT;
ALTER TABLE override_secrets ADD COLUMN origin TEXT;
