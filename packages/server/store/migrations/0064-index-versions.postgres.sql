-- The index of each form of words has an extent of its own: nodes of the version before do not know this one's.
ALTER TABLE search_extent DROP CONSTRAINT IF EXISTS search_extent_id_check;
