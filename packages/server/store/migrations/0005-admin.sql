-- When the admin command disabled the account; until it is enabled again, its tokens and its bots' are invalid.
ALTER TABLE accounts ADD COLUMN disabled_at {{int}};
