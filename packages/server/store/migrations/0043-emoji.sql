-- Custom emoji of the instance. The picture has a random name, which is part of its address.
CREATE TABLE emoji (
  name TEXT PRIMARY KEY,
  account_key {{int}} NOT NULL,
  picture TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  size {{int}} NOT NULL,
  created_at {{int}} NOT NULL
) {{by_key}};
CREATE UNIQUE INDEX emoji_picture ON emoji (picture);
CREATE INDEX emoji_account ON emoji (account_key);
