-- 1: somebody else has added the account, and it has not written in the conversation since (PRESENCE-3).
ALTER TABLE participants ADD COLUMN was_added {{int}} NOT NULL DEFAULT 0;
