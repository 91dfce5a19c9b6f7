-- Bytes stored in the files of a person and their bots; each file counts 4,096 bytes more than its size.
CREATE TABLE stored_bytes (owner_key {{int}} PRIMARY KEY, bytes {{int}} NOT NULL);
INSERT INTO stored_bytes (owner_key, bytes)
  SELECT COALESCE(a.parent_key, a.key), sum(f.size + f.thumbnail_size + 4096)
  FROM files f JOIN accounts a ON a.key = f.account_key GROUP BY COALESCE(a.parent_key, a.key);
