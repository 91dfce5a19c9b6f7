-- Token usage of replies, by the owner of the agent, the agent, the asker, the conversation, and the UTC day (in days
-- since the epoch). The rows stay when messages, participants and conversations are deleted, and contain nothing of
-- them but ids. `replies` counts the replies that reported their usage.
CREATE TABLE usage (
  owner_key {{int}} NOT NULL,
  agent_key {{int}} NOT NULL,
  human_key {{int}} NOT NULL,
  chat_id {{blob}} NOT NULL,
  day {{int}} NOT NULL,
  input_tokens {{int}} NOT NULL,
  output_tokens {{int}} NOT NULL,
  replies {{int}} NOT NULL,
  PRIMARY KEY (owner_key, agent_key, human_key, chat_id, day)
) {{by_key}};

-- Usage of an agent per month, for its cap; `month` is the first day of the month.
CREATE TABLE usage_months (
  agent_key {{int}} NOT NULL,
  month {{int}} NOT NULL,
  tokens {{int}} NOT NULL,
  PRIMARY KEY (agent_key, month)
) {{by_key}};

-- Maximum tokens of the agent per month; null for no limit.
ALTER TABLE agent_config ADD COLUMN monthly_token_cap {{int}};

-- The usage that an open reply has reported so far; null for none.
ALTER TABLE streams ADD COLUMN input_tokens {{int}};
ALTER TABLE streams ADD COLUMN output_tokens {{int}};
