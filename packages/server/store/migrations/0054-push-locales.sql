-- The language of a device, in which the service's own words in its pushes are; NULL: English.
ALTER TABLE push_tokens ADD COLUMN locale TEXT;
