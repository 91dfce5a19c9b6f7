-- Private keys that the service has made for itself, sealed with the secrets key.
CREATE TABLE service_keys (
  name TEXT PRIMARY KEY,
  sealed TEXT NOT NULL
) {{by_key}};
