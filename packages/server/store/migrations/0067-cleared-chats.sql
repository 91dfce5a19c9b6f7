-- Tells at once whether an account has cleared any conversation, which is rare.
CREATE INDEX participants_cleared ON participants (account_key) WHERE cleared_key > 0;
