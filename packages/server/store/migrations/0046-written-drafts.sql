-- Cleared drafts of threads stay, and may become many: counting those that are written reads only these.
CREATE INDEX timeline_drafts_written ON timeline_drafts (account_key) WHERE text <> '';
