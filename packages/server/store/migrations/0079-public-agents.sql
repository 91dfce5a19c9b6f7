-- The agents that everyone may talk to, which getUsers lists.
CREATE INDEX accounts_public ON accounts (key) WHERE is_public = 1;
