-- What an account may do for the whole service: owner, admin, moderator, member or guest. Agents have none of their own.
ALTER TABLE accounts ADD COLUMN role TEXT NOT NULL DEFAULT 'member';
CREATE INDEX accounts_owners ON accounts (key) WHERE role = 'owner';
