-- The house's agent, which the operator pays for. house: where its settings come from, 'environment' or 'command'; NULL
-- for every other agent, and while the house's agent is off. daily_tokens: maximum tokens of all people together on the
-- owner's key per UTC day; NULL for no limit.
ALTER TABLE agent_config ADD COLUMN house TEXT;
ALTER TABLE agent_config ADD COLUMN daily_tokens {{int}};
-- Tokens of the house's agent on its owner's key, of all people together, per UTC day.
CREATE TABLE usage_days (
  agent_key {{int}} NOT NULL,
  day {{int}} NOT NULL,
  tokens {{int}} NOT NULL,
  PRIMARY KEY (agent_key, day)
) {{by_key}};
