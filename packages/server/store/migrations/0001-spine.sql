-- {{key}}, {{int}}, {{blob}} and {{by_key}} are replaced by each engine's words (store/migrate.ts).

CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);

CREATE TABLE accounts (
  key {{key}},
  username TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  display_name TEXT NOT NULL,
  -- The display name in lower case, as searches compare it.
  search_name TEXT NOT NULL,
  parent_key {{int}},
  agent_provider TEXT,
  is_public {{int}} NOT NULL DEFAULT 0,
  password_hash TEXT,
  avatar_url TEXT,
  bio TEXT,
  created_at {{int}} NOT NULL,
  deleted_at {{int}}
);
CREATE INDEX accounts_search ON accounts (search_name, username);
CREATE INDEX accounts_parent ON accounts (parent_key) WHERE parent_key IS NOT NULL;

CREATE TABLE sessions (
  key {{key}},
  id {{blob}} NOT NULL UNIQUE,
  account_key {{int}} NOT NULL,
  token_hash {{blob}} NOT NULL UNIQUE,
  device_name TEXT,
  platform TEXT,
  app_version TEXT,
  created_at {{int}} NOT NULL,
  last_active_at {{int}} NOT NULL,
  expires_at {{int}} NOT NULL
);
CREATE INDEX sessions_account ON sessions (account_key);

CREATE TABLE bots (
  account_key {{int}} PRIMARY KEY,
  token_hash {{blob}} NOT NULL UNIQUE,
  template TEXT,
  config_schema TEXT NOT NULL,
  secret_schema TEXT NOT NULL
);

-- The owner's secrets for an agent, sealed; `tail` is the masked end, which the owner sees.
CREATE TABLE agent_secrets (
  agent_key {{int}} NOT NULL,
  account_key {{int}} NOT NULL,
  field TEXT NOT NULL,
  sealed TEXT NOT NULL,
  tail TEXT NOT NULL,
  PRIMARY KEY (agent_key, account_key, field)
);

CREATE TABLE chats (
  key {{key}},
  id {{blob}} NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  title TEXT,
  direct_pair TEXT UNIQUE,
  agent_count {{int}} NOT NULL DEFAULT 0,
  participant_count {{int}} NOT NULL DEFAULT 0,
  created_at {{int}} NOT NULL,
  updated_at {{int}} NOT NULL
);

CREATE TABLE participants (
  chat_key {{int}} NOT NULL,
  account_key {{int}} NOT NULL,
  role TEXT NOT NULL,
  always_on {{int}},
  is_muted {{int}} NOT NULL DEFAULT 0,
  muted_until {{int}},
  read_key {{int}} NOT NULL DEFAULT 0,
  joined_at {{int}} NOT NULL,
  PRIMARY KEY (chat_key, account_key)
) {{by_key}};
CREATE INDEX participants_account ON participants (account_key, chat_key);

CREATE TABLE channels (
  key {{key}},
  id {{blob}} NOT NULL UNIQUE,
  chat_key {{int}} NOT NULL,
  title TEXT NOT NULL,
  created_at {{int}} NOT NULL,
  deleted_at {{int}}
);
CREATE INDEX channels_chat ON channels (chat_key) WHERE deleted_at IS NULL;

-- `key` is the wire's `position`. `record` is the wire Message without position, sender, reactions and thread, which
-- come from other columns and tables. channel_key and thread_key are 0 in the timeline #all.
-- `marks`: 1 has reactions, 2 is a thread root, 4 is a service notice, 8 is forwarded.
CREATE TABLE messages (
  key {{key}},
  id {{blob}} NOT NULL,
  chat_key {{int}} NOT NULL,
  channel_key {{int}} NOT NULL,
  thread_key {{int}} NOT NULL,
  sender_key {{int}} NOT NULL,
  status TEXT NOT NULL,
  marks {{int}} NOT NULL,
  created_at {{int}} NOT NULL,
  deleted_at {{int}},
  client_msg_id TEXT,
  payload_digest {{blob}},
  record TEXT NOT NULL
);
CREATE UNIQUE INDEX messages_id ON messages (id);
CREATE INDEX messages_timeline ON messages (chat_key, channel_key, thread_key, key) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX messages_client ON messages (client_msg_id, sender_key, chat_key) WHERE client_msg_id IS NOT NULL;

CREATE TABLE threads (
  root_key {{int}} PRIMARY KEY,
  chat_key {{int}} NOT NULL,
  channel_key {{int}} NOT NULL,
  reply_count {{int}} NOT NULL,
  last_key {{int}} NOT NULL,
  last_at {{int}} NOT NULL
);
CREATE INDEX threads_chat ON threads (chat_key, last_key);

CREATE TABLE hidden (
  account_key {{int}} NOT NULL,
  message_key {{int}} NOT NULL,
  PRIMARY KEY (account_key, message_key)
) {{by_key}};

CREATE TABLE reactions (
  message_key {{int}} NOT NULL,
  emoji TEXT NOT NULL,
  account_key {{int}} NOT NULL,
  created_at {{int}} NOT NULL,
  key {{int}} NOT NULL,
  PRIMARY KEY (message_key, emoji, account_key)
) {{by_key}};

CREATE TABLE pins (
  chat_key {{int}} NOT NULL,
  message_key {{int}} NOT NULL,
  ordinal {{int}} NOT NULL,
  PRIMARY KEY (chat_key, message_key)
) {{by_key}};

CREATE TABLE drafts (
  account_key {{int}} NOT NULL,
  chat_key {{int}} NOT NULL,
  text TEXT NOT NULL,
  reply_to_id TEXT,
  updated_at {{int}} NOT NULL,
  PRIMARY KEY (account_key, chat_key)
) {{by_key}};

-- Firings: message `message_key` makes agent `agent_key` reply. Written with the message, so that a crash loses none.
CREATE TABLE turns (
  key {{key}},
  message_key {{int}} NOT NULL,
  agent_key {{int}} NOT NULL,
  chat_key {{int}} NOT NULL,
  channel_key {{int}} NOT NULL,
  thread_key {{int}} NOT NULL,
  human_key {{int}} NOT NULL,
  root_message_key {{int}} NOT NULL,
  hop {{int}} NOT NULL,
  runner TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts {{int}} NOT NULL DEFAULT 0,
  reply_key {{int}},
  created_at {{int}} NOT NULL
);
CREATE INDEX turns_message ON turns (message_key);
CREATE INDEX turns_root ON turns (root_message_key);
CREATE INDEX turns_open ON turns (chat_key, agent_key) WHERE runner = 'server' AND state IN ('queued', 'streaming');
CREATE INDEX turns_reply ON turns (reply_key) WHERE reply_key IS NOT NULL;
CREATE INDEX turns_agent ON turns (agent_key, chat_key, key);

-- Open replies: `text` is the last checkpoint, `revision_reserved` the highest revision that may have been used.
CREATE TABLE streams (
  message_key {{int}} PRIMARY KEY,
  agent_key {{int}} NOT NULL,
  chat_key {{int}} NOT NULL,
  turn_key {{int}},
  runner TEXT NOT NULL,
  text TEXT NOT NULL,
  revision_reserved {{int}} NOT NULL,
  cancel_requested {{int}} NOT NULL DEFAULT 0,
  started_at {{int}} NOT NULL
);

-- The update log. `scope` is 2 * chat key, or 2 * account key + 1; `ref` is the row from which replays rebuild the
-- event.
CREATE TABLE events (
  seq {{int}} PRIMARY KEY,
  scope {{int}} NOT NULL,
  kind {{int}} NOT NULL,
  ref {{int}},
  params TEXT,
  created_at {{int}} NOT NULL
);
-- The log by scope. Filled later, in sorted blocks, so that a commit need not write a page per conversation.
CREATE TABLE events_by_scope (
  scope {{int}} NOT NULL,
  seq {{int}} NOT NULL,
  kind {{int}} NOT NULL,
  ref {{int}},
  PRIMARY KEY (scope, seq)
) {{by_key}};
CREATE TABLE events_trimmed (scope {{int}} PRIMARY KEY, seq {{int}} NOT NULL);
