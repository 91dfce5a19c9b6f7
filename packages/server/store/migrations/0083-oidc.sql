-- Who an account is at an OpenID Connect issuer, whose address is `issuer`.
CREATE TABLE oidc_identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  account_key {{int}} NOT NULL,
  PRIMARY KEY (issuer, subject)
) {{by_key}};
CREATE INDEX oidc_identities_account ON oidc_identities (account_key);

-- Sign-ins that have begun, by the hash of their state. browser_hash: of the cookie of the browser that began it. sealed:
-- what is needed when the person comes back.
CREATE TABLE oidc_logins (
  state_hash {{blob}} NOT NULL PRIMARY KEY,
  browser_hash {{blob}} NOT NULL,
  sealed TEXT NOT NULL,
  expires_at {{int}} NOT NULL
) {{by_key}};
CREATE INDEX oidc_logins_expiry ON oidc_logins (expires_at);

-- Sign-ins that the issuer has confirmed, by the hash of the code that a browser exchanges for a session. sid: the issuer's
-- id of its own session. sealed: its refresh token; NULL if it gave none.
CREATE TABLE oidc_codes (
  code_hash {{blob}} NOT NULL PRIMARY KEY,
  browser_hash {{blob}} NOT NULL,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  account_key {{int}} NOT NULL,
  sid TEXT,
  sealed TEXT,
  expires_at {{int}} NOT NULL
) {{by_key}};
CREATE INDEX oidc_codes_expiry ON oidc_codes (expires_at);
CREATE INDEX oidc_codes_account ON oidc_codes (account_key);

-- The sessions that began at an issuer. checked_at: when the issuer last confirmed it. refresh_at: when it is asked next; the
-- node that asks moves it on first, so that no other asks too.
CREATE TABLE oidc_sessions (
  session_key {{int}} PRIMARY KEY,
  account_key {{int}} NOT NULL,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  sid TEXT,
  sealed TEXT,
  checked_at {{int}} NOT NULL,
  refresh_at {{int}} NOT NULL
);
CREATE INDEX oidc_sessions_account ON oidc_sessions (account_key);
CREATE INDEX oidc_sessions_subject ON oidc_sessions (issuer, subject);
CREATE INDEX oidc_sessions_sid ON oidc_sessions (issuer, sid) WHERE sid IS NOT NULL;
CREATE INDEX oidc_sessions_refresh ON oidc_sessions (issuer, refresh_at) WHERE sealed IS NOT NULL;

-- Logout tokens that have been used, so that none counts twice.
CREATE TABLE oidc_logouts (
  jti_hash {{blob}} NOT NULL PRIMARY KEY,
  expires_at {{int}} NOT NULL
) {{by_key}};
CREATE INDEX oidc_logouts_expiry ON oidc_logouts (expires_at);
