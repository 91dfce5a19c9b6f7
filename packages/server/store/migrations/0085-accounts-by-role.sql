-- The people of one role, those who are disabled and those who wait for approval, each in the order of getAccounts. With the
-- columns of its condition SQLite counts people from the index alone.
CREATE INDEX accounts_role ON accounts (role, username, kind, deleted_at) WHERE kind = 'human' AND deleted_at IS NULL;
CREATE INDEX accounts_disabled ON accounts (username) WHERE disabled_at IS NOT NULL;
DROP INDEX accounts_pending;
CREATE INDEX accounts_pending ON accounts (username) WHERE pending = 1;
-- The index of all roles has the owners.
DROP INDEX accounts_owners;
