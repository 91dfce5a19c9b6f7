-- The last batch of each connection of each node that writes, written with it: whoever was cut off during a COMMIT reads
-- here what became of it. The server's own numbers of transactions do not tell: those that a crash has undone are given
-- out again.
CREATE TABLE batches (
  node_key BIGINT NOT NULL,
  lane INTEGER NOT NULL,
  token TEXT NOT NULL,
  PRIMARY KEY (node_key, lane)
) WITH (fillfactor = 10);
