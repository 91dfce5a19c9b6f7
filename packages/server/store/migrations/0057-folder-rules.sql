-- Which conversations a folder shows besides the chosen ones, as JSON (FolderRule); NULL: no others.
ALTER TABLE folders ADD COLUMN rule TEXT;
