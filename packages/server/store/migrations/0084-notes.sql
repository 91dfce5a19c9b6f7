-- What agents remember: of a person in the direct chats with an agent (chat_key 0), or of a group (human_key 0).
CREATE TABLE notes (
  key {{key}},
  id {{blob}} NOT NULL,
  agent_key {{int}} NOT NULL,
  human_key {{int}} NOT NULL,
  chat_key {{int}} NOT NULL,
  text TEXT NOT NULL,
  -- The person who wrote it, or for whom the agent did.
  writer_key {{int}} NOT NULL,
  by_agent {{int}} NOT NULL,
  created_at {{int}} NOT NULL,
  edited_at {{int}},
  editor_key {{int}}
);
CREATE UNIQUE INDEX notes_id ON notes (id);
CREATE INDEX notes_place ON notes (agent_key, human_key, chat_key, key);
CREATE INDEX notes_of_human ON notes (human_key) WHERE human_key <> 0;
CREATE INDEX notes_of_chat ON notes (chat_key) WHERE chat_key <> 0;
CREATE INDEX notes_of_writer ON notes (writer_key);
