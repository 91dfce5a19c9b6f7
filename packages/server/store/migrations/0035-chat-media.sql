-- Messages with media, files and links have marks (128, 256 and 512) and are listed by them.
UPDATE messages SET marks = marks | 128
  WHERE (marks & 128) = 0 AND deleted_at IS NULL AND key IN (
    SELECT mf.message_key FROM message_files mf JOIN files f ON f.key = mf.file_key
    WHERE f.kind = 'photo' OR f.mime_type LIKE 'video/%');
UPDATE messages SET marks = marks | 256
  WHERE (marks & 256) = 0 AND deleted_at IS NULL AND key IN (
    SELECT mf.message_key FROM message_files mf JOIN files f ON f.key = mf.file_key
    WHERE f.kind <> 'photo' AND f.mime_type NOT LIKE 'video/%');
-- What a text contains is not known here: a message that only seems to contain a link is listed without one.
UPDATE messages SET marks = marks | 512
  WHERE (marks & 512) = 0 AND deleted_at IS NULL AND status <> 'streaming'
    AND (record LIKE '%http://%' OR record LIKE '%https://%');
CREATE INDEX messages_media ON messages (chat_key, key) WHERE (marks & 128) <> 0 AND deleted_at IS NULL;
CREATE INDEX messages_files ON messages (chat_key, key) WHERE (marks & 256) <> 0 AND deleted_at IS NULL;
CREATE INDEX messages_links ON messages (chat_key, key) WHERE (marks & 512) <> 0 AND deleted_at IS NULL;
