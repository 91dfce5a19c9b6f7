-- The books: what replies have cost, by the owner of the agent, the agent, the human at the root of the replies, the
-- conversation, and the UTC day, in days since the epoch. They outlive messages, members and conversations, and of
-- these know no more than the id. `replies` are those that told what they have used.
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

-- The same of an agent as a whole, for its cap; `month` is the month's first day.
CREATE TABLE usage_months (
  agent_key {{int}} NOT NULL,
  month {{int}} NOT NULL,
  tokens {{int}} NOT NULL,
  PRIMARY KEY (agent_key, month)
) {{by_key}};

-- How many tokens it may use in a month; null: as many as it likes.
ALTER TABLE agent_config ADD COLUMN monthly_token_cap {{int}};

-- What an open reply has told of its usage so far; null: nothing.
ALTER TABLE streams ADD COLUMN input_tokens {{int}};
ALTER TABLE streams ADD COLUMN output_tokens {{int}};
