-- The bytes of files, in pieces of 512 KiB (the last one is shorter). `at` is the place of its first byte.
CREATE TABLE file_chunks (
  name TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  bytes BYTEA NOT NULL,
  PRIMARY KEY (name, at)
);
-- Mostly compressed already; and of what is not compressed, a part is read without the rest.
ALTER TABLE file_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
-- Files whose chunks are all there: only these are seen. Without a row here, chunks are of an upload that is under way,
-- or that has broken off.
CREATE TABLE stored_files (name TEXT COLLATE "C" PRIMARY KEY, size BIGINT NOT NULL);
