-- What a model wrote about the older messages of a timeline, for one agent. asker_key: 0 if it was made on the owner's
-- key, otherwise the human on whose own key it was made. `text` covers the messages from from_key to through_key; it is
-- null while the first summary is being made. reach_key: the newest message that is covered or being summarized.
CREATE TABLE summaries (
  chat_key {{int}} NOT NULL,
  channel_key {{int}} NOT NULL,
  thread_key {{int}} NOT NULL,
  agent_key {{int}} NOT NULL,
  asker_key {{int}} NOT NULL,
  from_key {{int}} NOT NULL,
  through_key {{int}} NOT NULL,
  reach_key {{int}} NOT NULL,
  messages {{int}} NOT NULL,
  is_whole {{int}} NOT NULL,
  text TEXT,
  attempt {{blob}},
  PRIMARY KEY (chat_key, channel_key, thread_key, agent_key, asker_key)
) {{by_key}};
CREATE INDEX summaries_agent ON summaries (agent_key);
CREATE INDEX summaries_asker ON summaries (asker_key) WHERE asker_key <> 0;
