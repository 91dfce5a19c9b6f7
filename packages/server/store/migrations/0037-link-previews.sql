-- What the pages behind links say, kept for a day. A link's place is determined by its digest, so the number of rows is
-- bounded: a link that falls on the place of another one takes it.
CREATE TABLE link_previews (
  place {{int}} PRIMARY KEY,
  url_digest {{blob}} NOT NULL,
  -- The preview as JSON; null: the page gives none, or could not be read.
  value TEXT,
  fetched_at {{int}} NOT NULL
);
CREATE INDEX link_previews_fetched ON link_previews (fetched_at);
