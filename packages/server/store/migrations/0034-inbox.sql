-- What each person is to look at: mentions, replies, threads and failed replies (INBOX-1). `thread_key` is the root of
-- the thread that an item stands for; 0 for an item that is one message.
CREATE TABLE inbox (
  account_key {{int}} NOT NULL,
  message_key {{int}} NOT NULL,
  chat_key {{int}} NOT NULL,
  thread_key {{int}} NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (account_key, message_key)
) {{by_key}};
-- One item for each thread.
CREATE UNIQUE INDEX inbox_thread ON inbox (account_key, thread_key) WHERE thread_key <> 0;
CREATE INDEX inbox_message ON inbox (message_key);
