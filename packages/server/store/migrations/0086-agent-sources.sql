-- The library of an agent: files (url NULL) and pages (file_key 0) that its owner gives it.
CREATE TABLE agent_sources (
  key {{key}},
  id {{blob}} NOT NULL,
  agent_key {{int}} NOT NULL,
  file_key {{int}} NOT NULL,
  url TEXT,
  title TEXT NOT NULL,
  -- Of a page whose owner has given it no title: the page's own one takes its place.
  is_untitled {{int}} NOT NULL,
  is_open {{int}} NOT NULL,
  added_at {{int}} NOT NULL,
  -- It is to be read; `round` counts how often that was asked for.
  is_waiting {{int}} NOT NULL DEFAULT 1,
  round {{int}} NOT NULL DEFAULT 0,
  tries {{int}} NOT NULL DEFAULT 0,
  claimed_until {{int}} NOT NULL DEFAULT 0,
  read_at {{int}},
  failure TEXT,
  is_cut {{int}} NOT NULL DEFAULT 0,
  -- Of its row in agent_source_texts; 0 if it has none.
  bytes {{int}} NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX agent_sources_id ON agent_sources (id);
CREATE INDEX agent_sources_of_agent ON agent_sources (agent_key, key);
CREATE INDEX agent_sources_of_file ON agent_sources (file_key) WHERE file_key <> 0;
CREATE INDEX agent_sources_waiting ON agent_sources (key) WHERE is_waiting = 1;

-- What was read of a source: its passages as JSON, and the index of their words.
CREATE TABLE agent_source_texts (
  source_key {{int}} PRIMARY KEY,
  passages TEXT NOT NULL,
  words TEXT NOT NULL
);
