-- Hashes of the device tokens that signUp and signIn return. `session_id` is the last session that the device began;
-- it may have ended.
CREATE TABLE device_tokens (
  token_hash {{blob}} PRIMARY KEY,
  account_key {{int}} NOT NULL,
  session_id {{blob}} NOT NULL,
  used_at {{int}} NOT NULL
) {{by_key}};
CREATE INDEX device_tokens_account ON device_tokens (account_key, used_at);
