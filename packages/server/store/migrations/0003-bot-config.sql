-- Settings of agents. The owner's values apply to everyone; `published` names the fields that others see.
CREATE TABLE agent_config (
  agent_key {{int}} PRIMARY KEY,
  config TEXT NOT NULL,
  published TEXT NOT NULL
);

-- Values that an account, possibly the owner, has set only for itself; they override the owner's values for everyone.
-- Secrets of such overrides are in override_secrets, the owner's secrets for everyone in agent_secrets.
CREATE TABLE agent_overrides (
  agent_key {{int}} NOT NULL,
  account_key {{int}} NOT NULL,
  config TEXT NOT NULL,
  PRIMARY KEY (agent_key, account_key)
) {{by_key}};
CREATE TABLE override_secrets (
  agent_key {{int}} NOT NULL,
  account_key {{int}} NOT NULL,
  field TEXT NOT NULL,
  sealed TEXT NOT NULL,
  tail TEXT NOT NULL,
  PRIMARY KEY (agent_key, account_key, field)
) {{by_key}};
