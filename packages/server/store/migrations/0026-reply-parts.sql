-- The parts of an open reply at its last checkpoint, as a JSON array; null: it has none.
ALTER TABLE streams ADD COLUMN parts TEXT;
