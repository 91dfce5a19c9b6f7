-- Backends of products that have users of their own. `token_hash` is that of the key; null: the key was revoked.
CREATE TABLE backends (
  key {{key}},
  name TEXT NOT NULL UNIQUE,
  owner_key {{int}} NOT NULL,
  token_hash {{blob}} UNIQUE,
  created_at {{int}} NOT NULL
);

-- The account of each user of a backend.
CREATE TABLE backend_users (
  backend_key {{int}} NOT NULL,
  external_id TEXT NOT NULL,
  account_key {{int}} NOT NULL UNIQUE,
  PRIMARY KEY (backend_key, external_id)
) {{by_key}};

-- The backend that made the session. Such a session is limited and does not outlive `expires_at` by use.
ALTER TABLE sessions ADD COLUMN backend_key {{int}};
CREATE INDEX sessions_backend ON sessions (backend_key) WHERE backend_key IS NOT NULL;
