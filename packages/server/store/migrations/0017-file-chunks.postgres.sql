-- The bytes of files, in chunks of 512 KiB (the last one may be shorter). `at` is the offset of the chunk.
CREATE TABLE file_chunks (
  name TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  bytes BYTEA NOT NULL,
  PRIMARY KEY (name, at)
);
-- Not compressed: most files are compressed already, and a part of an uncompressed value can be read without the rest.
ALTER TABLE file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
-- Complete files; only these are served. Chunks without a row here belong to an unfinished or aborted upload.
CREATE TABLE stored_files (name TEXT COLLATE "C" PRIMARY KEY, size BIGINT NOT NULL);
