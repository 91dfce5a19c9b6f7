-- Decisions: the field `decision` of the Message as JSON, and what of it is looked up. `id` is that of the message.
-- state: 'open', 'decided', 'expired' or 'withdrawn'. deciders: 'anyone', 'admins', or 'listed' in decision_people.
-- turn_key, call_key: the turn that waits for it, and the call of a tool that it is about.
CREATE TABLE decisions (
  message_key {{int}} PRIMARY KEY,
  chat_key {{int}} NOT NULL,
  asker_key {{int}} NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  deciders TEXT NOT NULL,
  is_private {{int}} NOT NULL,
  expires_at {{int}},
  turn_key {{int}},
  call_key {{int}},
  value TEXT NOT NULL
);
CREATE INDEX decisions_open ON decisions (chat_key, message_key) WHERE state = 'open';
CREATE INDEX decisions_due ON decisions (expires_at) WHERE state = 'open';
CREATE INDEX decisions_of_turn ON decisions (turn_key) WHERE turn_key IS NOT NULL;
CREATE INDEX decisions_in_chat ON decisions (chat_key, message_key);
CREATE INDEX decisions_asked ON decisions (asker_key, message_key);
-- Those who may decide, if they were listed (decides = 1), and of a private decision also who asked (0): the rows of a
-- private one outlive its message's deletion, since nobody else may learn of that either.
CREATE TABLE decision_people (
  message_key {{int}} NOT NULL,
  account_key {{int}} NOT NULL,
  decides {{int}} NOT NULL,
  PRIMARY KEY (message_key, account_key)
) {{by_key}};
CREATE INDEX decision_people_accounts ON decision_people (account_key, message_key);
