-- The node that has the open reply in memory, and the node that sends the push; 0 with a single process.
ALTER TABLE streams ADD COLUMN node_key {{int}} NOT NULL DEFAULT 0;
ALTER TABLE push_queue ADD COLUMN node_key {{int}} NOT NULL DEFAULT 0;
