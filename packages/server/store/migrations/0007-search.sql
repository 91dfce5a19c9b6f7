-- Messages whose text has changed since they were indexed (an edit, the end of a reply, a deletion). A row is written
-- with the change, and the search index processes it later. The last row always stays, so that no key is reused.
-- Each engine has its own index (search/engines), because the two share no SQL for full-text search.
CREATE TABLE search_changes (key {{key}}, message_key {{int}} NOT NULL);
