-- Who may use the owner's key of an agent: 'nobody', 'groups' or 'everyone'; null: 'groups'. The models that others may
-- choose, as JSON; null: none. How many tokens each of them may use in a UTC day; null: the default.
ALTER TABLE agent_config ADD COLUMN pays_for TEXT;
ALTER TABLE agent_config ADD COLUMN allowed_models TEXT;
ALTER TABLE agent_config ADD COLUMN asker_daily_tokens {{int}};

-- Whose key a turn runs with, decided when it is claimed: 'owner' or 'asker'; null: nobody's.
ALTER TABLE turns ADD COLUMN payer TEXT;

-- How many of the tokens, in and out together, were used on the owner's key. Older rows did not record it: they count
-- as the owner's.
ALTER TABLE usage ADD COLUMN owner_key_tokens {{int}} NOT NULL DEFAULT 0;
UPDATE usage SET owner_key_tokens = input_tokens + output_tokens;
-- What one human has used of one agent in a day, without reading other days.
CREATE INDEX usage_of_asker ON usage (agent_key, human_key, day);
