-- Where the service sends events of an account. cursor: the receiver has answered all events up to this number. chat_key:
-- 0 for all conversations. sealed: the secret that signs. next_at: when to try again; NULL if it is disabled.
CREATE TABLE webhook_subscriptions (
  key {{key}},
  id {{blob}} NOT NULL UNIQUE,
  account_key {{int}} NOT NULL,
  chat_key {{int}} NOT NULL,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  sealed TEXT NOT NULL,
  cursor {{int}} NOT NULL,
  attempts {{int}} NOT NULL DEFAULT 0,
  failing_since {{int}},
  failure TEXT,
  next_at {{int}},
  created_at {{int}} NOT NULL
);
CREATE INDEX webhook_subscriptions_account ON webhook_subscriptions (account_key);
