-- Tokens that signUp and signIn give to devices, as hashes. `session_id` is the session that the device began last; it may
-- have ended since.
CREATE TABLE device_tokens (
  token_hash {{blob}} PRIMARY KEY,
  account_key {{int}} NOT NULL,
  session_id {{blob}} NOT NULL,
  used_at {{int}} NOT NULL
) {{by_key}};
CREATE INDEX device_tokens_account ON device_tokens (account_key, used_at);
