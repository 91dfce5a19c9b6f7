-- What a person shares with others; without a row everything is shared.
CREATE TABLE privacy (
  account_key {{int}} PRIMARY KEY,
  read_receipts {{int}} NOT NULL DEFAULT 1,
  last_seen {{int}} NOT NULL DEFAULT 1
);

-- The message up to which a person has read, as the others may know: moves with read_key while the person shares
-- receipts. 0 for agents, and for a newcomer who has not read anything yet.
ALTER TABLE participants ADD COLUMN receipt_key {{int}} NOT NULL DEFAULT 0;

-- The messages of groups that are for one of the people there: those that mention them, and replies to their messages.
CREATE TABLE mentions (
  account_key {{int}} NOT NULL,
  chat_key {{int}} NOT NULL,
  message_key {{int}} NOT NULL,
  PRIMARY KEY (account_key, chat_key, message_key)
) {{by_key}};
CREATE INDEX mentions_message ON mentions (message_key);
