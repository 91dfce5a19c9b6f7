-- Which node of several a reply is written on, and whose pushes these are: 0 where there is only one.
ALTER TABLE streams ADD COLUMN node_key {{int}} NOT NULL DEFAULT 0;
ALTER TABLE push_queue ADD COLUMN node_key {{int}} NOT NULL DEFAULT 0;
