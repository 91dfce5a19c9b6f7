-- The second factor of an account: codes that an app makes by the time from a secret, which is sealed. confirmed_at: NULL until
-- a code was right. last_step: the time step of the last code that was taken, so that none counts twice.
CREATE TABLE second_factors (
  account_key {{int}} PRIMARY KEY,
  sealed TEXT NOT NULL,
  created_at {{int}} NOT NULL,
  confirmed_at {{int}},
  last_step {{int}} NOT NULL DEFAULT 0
);

-- Codes that replace one of the app, each once, by their hash.
CREATE TABLE recovery_codes (
  account_key {{int}} NOT NULL,
  code_hash {{blob}} NOT NULL,
  PRIMARY KEY (account_key, code_hash)
) {{by_key}};
