-- Turns that use tools. `steps`: how many of their requests are stored, so that they go on after the last one.
ALTER TABLE turns ADD COLUMN steps {{int}} NOT NULL DEFAULT 0;
CREATE INDEX turns_waiting ON turns (chat_key, agent_key) WHERE state = 'waiting';
CREATE INDEX turns_waiting_of_agent ON turns (agent_key, human_key) WHERE state = 'waiting';
CREATE INDEX turns_waiting_of_human ON turns (human_key) WHERE state = 'waiting';

-- What a turn with steps must remember beside them; deleted at its end.
CREATE TABLE tool_turns (
  turn_key {{int}} PRIMARY KEY,
  -- Length of the text with which the turn began, in UTF-16 units: of a reply that was continued.
  began {{int}} NOT NULL,
  -- How many calls it may make before a person is asked; 0: no more.
  calls_allowed {{int}} NOT NULL,
  -- 1 if its model has read what strangers may have written.
  tainted {{int}} NOT NULL
) {{by_key}};

-- The answered requests of a turn, in the vendor's form, sealed; and the reply as it was then.
CREATE TABLE turn_steps (
  turn_key {{int}} NOT NULL,
  step {{int}} NOT NULL,
  blocks TEXT NOT NULL,
  -- Only of the newest step.
  text TEXT NOT NULL,
  parts TEXT,
  PRIMARY KEY (turn_key, step)
) {{by_key}};

-- The ledger of calls, written before they are sent.
CREATE TABLE tool_calls (
  key {{key}},
  id {{blob}} NOT NULL,
  turn_key {{int}} NOT NULL,
  step {{int}} NOT NULL,
  place {{int}} NOT NULL,
  -- The id that the model gave the call.
  model_call TEXT NOT NULL,
  message_key {{int}} NOT NULL,
  chat_key {{int}} NOT NULL,
  agent_key {{int}} NOT NULL,
  human_key {{int}} NOT NULL,
  -- The part of the reply that shows it; null if the reply had no room for one.
  part TEXT,
  server TEXT NOT NULL,
  host TEXT NOT NULL,
  tool TEXT NOT NULL,
  title TEXT,
  identity TEXT NOT NULL,
  writes {{int}} NOT NULL,
  open_world {{int}} NOT NULL,
  -- What an answer is bound to: the server's address, the tool's definition, the credential.
  terms TEXT NOT NULL,
  state TEXT NOT NULL,
  -- Sealed; null once they are deleted.
  arguments TEXT,
  arguments_hash TEXT NOT NULL,
  result TEXT,
  -- What the server needs to go on with a call that asked for more, sealed.
  input_state TEXT,
  shared {{int}} NOT NULL DEFAULT 0,
  created_at {{int}} NOT NULL,
  sent_at {{int}},
  ended_at {{int}}
);
CREATE UNIQUE INDEX tool_calls_id ON tool_calls (id);
CREATE INDEX tool_calls_turn ON tool_calls (turn_key, step, place);
CREATE INDEX tool_calls_message ON tool_calls (message_key);
CREATE INDEX tool_calls_of_human ON tool_calls (human_key, created_at);
CREATE INDEX tool_calls_emptied ON tool_calls (created_at) WHERE arguments IS NULL;

-- What a person has allowed a tool of an agent beyond single calls. chat_key 0: everywhere.
CREATE TABLE tool_grants (
  human_key {{int}} NOT NULL,
  agent_key {{int}} NOT NULL,
  server TEXT NOT NULL,
  tool TEXT NOT NULL,
  chat_key {{int}} NOT NULL,
  terms TEXT NOT NULL,
  created_at {{int}} NOT NULL,
  PRIMARY KEY (human_key, agent_key, server, tool, chat_key)
) {{by_key}};
CREATE INDEX tool_grants_of_agent ON tool_grants (agent_key);
