-- Recent presses of each account, to recognize double clicks. The next press deletes the account's old rows.
CREATE TABLE component_actions (
  account_key {{int}} NOT NULL,
  message_key {{int}} NOT NULL,
  action TEXT NOT NULL,
  acted_at {{int}} NOT NULL,
  PRIMARY KEY (account_key, message_key, action)
) {{by_key}};
