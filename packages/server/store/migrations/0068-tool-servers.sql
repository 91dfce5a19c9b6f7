-- The MCP servers of agents. tools: what the owner has said of the server's tools, a JSON list; NULL: nothing. revision:
-- grows with every setAgentTools, so that what was listed before is not stored after it.
CREATE TABLE tool_servers (
  key {{key}},
  agent_key {{int}} NOT NULL,
  name TEXT NOT NULL,
  position {{int}} NOT NULL,
  url TEXT NOT NULL,
  identity TEXT NOT NULL,
  auth TEXT NOT NULL,
  approval TEXT NOT NULL,
  tools TEXT,
  revision {{int}} NOT NULL,
  UNIQUE (agent_key, name)
);

-- A tool as its server first described it after setAgentTools. hash: of everything that the server said of it.
-- is_changed: the server has described it differently since then.
CREATE TABLE tool_definitions (
  server_key {{int}} NOT NULL,
  name TEXT NOT NULL,
  agent_key {{int}} NOT NULL,
  hash TEXT NOT NULL,
  definition TEXT NOT NULL,
  is_changed {{int}} NOT NULL DEFAULT 0,
  PRIMARY KEY (server_key, name)
) {{by_key}};
CREATE INDEX tool_definitions_agent ON tool_definitions (agent_key);

-- What an account has set for a server, sealed for its origin: a token, or what a login gave. generation: a new id with
-- every value that people set. refreshing_until: a node asks for fresh tokens, and no other does so before this time.
CREATE TABLE tool_credentials (
  server_key {{int}} NOT NULL,
  account_key {{int}} NOT NULL,
  agent_key {{int}} NOT NULL,
  origin TEXT NOT NULL,
  sealed TEXT NOT NULL,
  tail TEXT,
  generation TEXT NOT NULL,
  refreshing_until {{int}} NOT NULL DEFAULT 0,
  PRIMARY KEY (server_key, account_key)
) {{by_key}};
CREATE INDEX tool_credentials_agent ON tool_credentials (agent_key);
CREATE INDEX tool_credentials_account ON tool_credentials (account_key);

-- Logins that have begun, by the hash of the state that comes back with them. sealed: what is needed to complete it.
CREATE TABLE tool_logins (
  state_hash {{blob}} NOT NULL PRIMARY KEY,
  server_key {{int}} NOT NULL,
  account_key {{int}} NOT NULL,
  agent_key {{int}} NOT NULL,
  sealed TEXT NOT NULL,
  expires_at {{int}} NOT NULL
) {{by_key}};
CREATE INDEX tool_logins_account ON tool_logins (account_key);
CREATE INDEX tool_logins_agent ON tool_logins (agent_key);

-- 1: the agent has tool servers, so that a turn without any reads nothing more.
ALTER TABLE agent_config ADD COLUMN has_tools {{int}};
