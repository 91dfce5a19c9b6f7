-- Since when an account is shut out (the admin command); its tokens and those of its bots are none meanwhile.
ALTER TABLE accounts ADD COLUMN disabled_at {{int}};
