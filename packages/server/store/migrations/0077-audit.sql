-- What was done to the installation, its accounts and its rights. Rows are only added: no statement changes or deletes one.
-- at: ms since the epoch. actor: a username, 'shell', or NULL for an attempt of nobody who is known. details: JSON.
CREATE TABLE audit (
  key {{key}},
  id {{blob}} NOT NULL,
  at {{int}} NOT NULL,
  actor TEXT,
  action TEXT NOT NULL,
  target TEXT,
  details TEXT,
  address TEXT
);
CREATE INDEX audit_at ON audit (at, key);
CREATE INDEX audit_actor ON audit (actor, at, key);
CREATE INDEX audit_target ON audit (target, at, key);
CREATE INDEX audit_action ON audit (action, at, key);
