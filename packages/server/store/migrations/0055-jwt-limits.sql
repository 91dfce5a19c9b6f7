-- When a backend's user last left a group or was removed from one; 0: never. A JWT issued before then joins none.
ALTER TABLE backend_users ADD COLUMN left_at {{int}} NOT NULL DEFAULT 0;

-- Deletions of the last day, by the hash of the user's id. A JWT issued before then makes no account.
CREATE TABLE deleted_backend_users (
  backend_key {{int}} NOT NULL,
  id_hash {{blob}} NOT NULL,
  deleted_at {{int}} NOT NULL,
  PRIMARY KEY (backend_key, id_hash)
) {{by_key}};
