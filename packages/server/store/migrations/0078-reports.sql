-- Reports of messages: one for each revision of a text that was reported. copy: the message and those around it as they were
-- then, JSON; NULL once it is resolved. state: 'open' or 'resolved'.
CREATE TABLE reports (
  key {{key}},
  id {{blob}} NOT NULL UNIQUE,
  message_key {{int}} NOT NULL,
  revision {{int}} NOT NULL,
  created_at {{int}} NOT NULL,
  copy TEXT,
  state TEXT NOT NULL DEFAULT 'open',
  resolver_key {{int}},
  action TEXT,
  note TEXT,
  resolved_at {{int}},
  UNIQUE (message_key, revision)
);
CREATE INDEX reports_state ON reports (state, key);
CREATE INDEX reports_due ON reports (created_at) WHERE state = 'open';
CREATE INDEX reports_resolved ON reports (resolved_at) WHERE state = 'resolved';
-- Who has reported what.
CREATE TABLE reporters (
  report_key {{int}} NOT NULL,
  account_key {{int}} NOT NULL,
  at {{int}} NOT NULL,
  reason TEXT,
  PRIMARY KEY (report_key, account_key)
) {{by_key}};
CREATE INDEX reporters_account ON reporters (account_key, report_key);
