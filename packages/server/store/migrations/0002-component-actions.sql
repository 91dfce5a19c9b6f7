-- What each account pressed of late, so that a double click is told from a press. An account's old rows go with its next press.
CREATE TABLE component_actions (
  account_key {{int}} NOT NULL,
  message_key {{int}} NOT NULL,
  action TEXT NOT NULL,
  acted_at {{int}} NOT NULL,
  PRIMARY KEY (account_key, message_key, action)
) {{by_key}};
