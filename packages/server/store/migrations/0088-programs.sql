-- Access tokens that a program got on the consent page (OAuth). client_id: the program; NULL for a token that its person has
-- made by hand. client: where it is, in words. code_hash: the code that it exchanges; code: what the exchange is checked
-- against, as JSON, until it is used. refresh_family, refresh_hash: the part that all its refresh tokens share, and the newest one. bearer_until: when the
-- bearer expires, before the grant does.
ALTER TABLE access_tokens ADD COLUMN client_id TEXT;
ALTER TABLE access_tokens ADD COLUMN client TEXT;
ALTER TABLE access_tokens ADD COLUMN code_hash {{blob}};
ALTER TABLE access_tokens ADD COLUMN code TEXT;
ALTER TABLE access_tokens ADD COLUMN refresh_family {{blob}};
ALTER TABLE access_tokens ADD COLUMN refresh_hash {{blob}};
ALTER TABLE access_tokens ADD COLUMN bearer_until {{int}};
CREATE UNIQUE INDEX access_tokens_code ON access_tokens (code_hash);
CREATE UNIQUE INDEX access_tokens_refresh ON access_tokens (refresh_family);
