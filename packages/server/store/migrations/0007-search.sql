-- Messages whose text changed behind the search index (an edit, the end of a reply, a deletion): written with the
-- change, and taken up by the index later. The last row always stays, so that no number is given twice.
-- The index itself is each engine's own affair (search/engines): there is no SQL for it that two engines share.
CREATE TABLE search_changes (key {{key}}, message_key {{int}} NOT NULL);
