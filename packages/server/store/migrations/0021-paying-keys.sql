-- Who may use the owner's key of an agent: 'nobody', 'groups' or 'everyone' (null means 'groups'). The models that
-- askers may choose, as JSON (null means none). Maximum tokens per asker and UTC day (null means the default).
ALTER TABLE agent_config ADD COLUMN pays_for TEXT;
ALTER TABLE agent_config ADD COLUMN allowed_models TEXT;
ALTER TABLE agent_config ADD COLUMN asker_daily_tokens {{int}};

-- Whose key a turn runs with, decided when it is claimed: 'owner' or 'asker'; null for no key.
ALTER TABLE turns ADD COLUMN payer TEXT;

-- Tokens, input and output together, that were used with the owner's key. Rows from before this column did not record
-- it, so their tokens count as the owner's.
ALTER TABLE usage ADD COLUMN owner_key_tokens {{int}} NOT NULL DEFAULT 0;
UPDATE usage SET owner_key_tokens = input_tokens + output_tokens;
-- For the usage of one agent by one asker on one day.
CREATE INDEX usage_of_asker ON usage (agent_key, human_key, day);
