-- Input drafts of channels and threads; those of conversations are in `drafts`. A cleared draft stays as an empty row.
CREATE TABLE timeline_drafts (
  key {{key}},
  account_key {{int}} NOT NULL,
  chat_key {{int}} NOT NULL,
  channel_key {{int}} NOT NULL,
  thread_key {{int}} NOT NULL,
  text TEXT NOT NULL,
  reply_to_id TEXT,
  updated_at {{int}} NOT NULL
);
CREATE UNIQUE INDEX timeline_drafts_place ON timeline_drafts (account_key, chat_key, channel_key, thread_key);
CREATE INDEX timeline_drafts_channel ON timeline_drafts (channel_key) WHERE channel_key <> 0;
CREATE INDEX timeline_drafts_thread ON timeline_drafts (thread_key) WHERE thread_key <> 0;
