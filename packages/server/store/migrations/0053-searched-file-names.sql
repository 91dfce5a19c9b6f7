-- Names of files are searched: messages with files are indexed again.
INSERT INTO search_changes (message_key) SELECT DISTINCT message_key FROM message_files;
