-- Groups that people find and join by themselves, groups in which only owner and admins write, and those that new
-- members are in from the start.
ALTER TABLE chats ADD COLUMN is_public {{int}} NOT NULL DEFAULT 0;
ALTER TABLE chats ADD COLUMN managers_post {{int}} NOT NULL DEFAULT 0;
ALTER TABLE chats ADD COLUMN is_default {{int}} NOT NULL DEFAULT 0;
CREATE INDEX chats_public ON chats (key) WHERE is_public = 1;
-- At most 20: every account that is made reads them.
CREATE INDEX chats_default ON chats (key) WHERE is_default = 1;

-- People who were removed from a group and have not come back: they cannot join it by themselves.
CREATE TABLE removed_members (
  chat_key {{int}} NOT NULL,
  account_key {{int}} NOT NULL,
  PRIMARY KEY (chat_key, account_key)
) {{by_key}};
CREATE INDEX removed_members_account ON removed_members (account_key);
