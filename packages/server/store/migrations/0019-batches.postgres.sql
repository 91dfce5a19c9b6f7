-- The last committed batch of each writer connection (`lane`) of each node, written in the batch's transaction. A node
-- that loses its connection during COMMIT reads here whether the batch was committed. PostgreSQL's transaction ids
-- cannot show this: after a crash it reuses ids of transactions that the crash undid.
CREATE TABLE batches (
  node_key BIGINT NOT NULL,
  lane INTEGER NOT NULL,
  token TEXT NOT NULL,
  PRIMARY KEY (node_key, lane)
) WITH (fillfactor = 10);
