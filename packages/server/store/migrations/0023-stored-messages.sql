-- stored_bytes now counts messages, too: a finished message that is not deleted takes the bytes of its record.
INSERT INTO stored_bytes (owner_key, bytes)
  SELECT COALESCE(a.parent_key, a.key), sum(octet_length(m.record))
  FROM messages m JOIN accounts a ON a.key = m.sender_key
  WHERE m.deleted_at IS NULL AND m.status <> 'streaming' GROUP BY COALESCE(a.parent_key, a.key)
  ON CONFLICT (owner_key) DO UPDATE SET bytes = stored_bytes.bytes + excluded.bytes;
