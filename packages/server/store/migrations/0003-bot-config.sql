-- Settings of agents. The owner's values hold for everyone; `published` names the fields that others see.
CREATE TABLE agent_config (
  agent_key {{int}} PRIMARY KEY,
  config TEXT NOT NULL,
  published TEXT NOT NULL
);

-- What an account has set for itself alone, which goes before the owner's values: also an owner has such a set.
-- The owner's secrets for everyone are those in agent_secrets under the owner's account.
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
