-- What replies cost, by who paid: in millionths of a unit of the currency. Only that account may see it.
CREATE TABLE reply_prices (
  account_key {{int}} NOT NULL,
  message_key {{int}} NOT NULL,
  currency TEXT NOT NULL,
  micros {{int}} NOT NULL,
  PRIMARY KEY (account_key, message_key, currency)
) {{by_key}};

-- What the requests of a row of `usage` on the owner's key cost.
CREATE TABLE usage_prices (
  owner_key {{int}} NOT NULL,
  agent_key {{int}} NOT NULL,
  human_key {{int}} NOT NULL,
  chat_id {{blob}} NOT NULL,
  day {{int}} NOT NULL,
  currency TEXT NOT NULL,
  micros {{int}} NOT NULL,
  PRIMARY KEY (owner_key, agent_key, human_key, chat_id, day, currency)
) {{by_key}};

-- The price of the usage that an open reply has reported so far; null for none.
ALTER TABLE streams ADD COLUMN currency TEXT;
ALTER TABLE streams ADD COLUMN micros {{int}};

-- Maximum tokens of the agent in one group per month, on its owner's key; null for no limit.
ALTER TABLE agent_config ADD COLUMN group_monthly_tokens {{int}};

-- Tokens of an agent in a group per month, on its owner's key; `month` is the first day of the month.
CREATE TABLE usage_group_months (
  agent_key {{int}} NOT NULL,
  chat_key {{int}} NOT NULL,
  month {{int}} NOT NULL,
  tokens {{int}} NOT NULL,
  PRIMARY KEY (agent_key, chat_key, month)
) {{by_key}};

-- The newest period (its first day) in which a budget of an agent was warned of: that of an asker, that of a group, or
-- with neither (both 0) that of the agent.
CREATE TABLE budget_warnings (
  agent_key {{int}} NOT NULL,
  human_key {{int}} NOT NULL,
  chat_key {{int}} NOT NULL,
  period {{int}} NOT NULL,
  PRIMARY KEY (agent_key, human_key, chat_key)
) {{by_key}};
