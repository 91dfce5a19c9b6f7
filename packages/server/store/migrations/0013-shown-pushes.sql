-- The notifications that devices show: for each token and conversation, the last message that the push service accepted
-- and that is not taken back. `is_due` is 1 if it must be taken back.
CREATE TABLE shown_pushes (
  token_key {{int}} NOT NULL,
  chat_key {{int}} NOT NULL,
  account_key {{int}} NOT NULL,
  message_key {{int}} NOT NULL,
  is_due {{int}} NOT NULL,
  PRIMARY KEY (token_key, chat_key)
) {{by_key}};
CREATE INDEX shown_pushes_chat ON shown_pushes (chat_key, account_key);
CREATE INDEX shown_pushes_message ON shown_pushes (message_key);
CREATE INDEX shown_pushes_due ON shown_pushes (account_key) WHERE is_due = 1;

-- The last badge that was sent to the device, the number of badge updates requested, and how many of them are done.
ALTER TABLE push_tokens ADD COLUMN badge {{int}} NOT NULL DEFAULT 0;
ALTER TABLE push_tokens ADD COLUMN badge_asked {{int}} NOT NULL DEFAULT 0;
ALTER TABLE push_tokens ADD COLUMN badge_answered {{int}} NOT NULL DEFAULT 0;
CREATE INDEX push_tokens_badge ON push_tokens (account_key) WHERE badge_asked > badge_answered;
