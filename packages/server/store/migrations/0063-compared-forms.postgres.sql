-- The words of the search index have other forms: without an extent it is built anew.
DELETE FROM search_extent;
TRUNCATE message_words;
TRUNCATE file_words;
