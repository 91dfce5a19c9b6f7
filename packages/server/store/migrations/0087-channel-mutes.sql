-- The channels that an account has muted, each until a time, or until it is unmuted.
CREATE TABLE channel_mutes (
  account_key {{int}} NOT NULL,
  channel_key {{int}} NOT NULL,
  chat_key {{int}} NOT NULL,
  muted_until {{int}},
  PRIMARY KEY (account_key, channel_key)
) {{by_key}};
CREATE INDEX channel_mutes_channel ON channel_mutes (channel_key);
