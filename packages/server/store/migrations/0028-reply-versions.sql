-- The versions of replies that were regenerated: a row for each version, as long as there are at least two.
CREATE TABLE reply_versions (
  message_key {{int}} PRIMARY KEY,
  -- The field `versions` of the Message, as JSON.
  value TEXT NOT NULL,
  -- The version that was current when this one was begun; null: this is the first one.
  replaced_key {{int}}
);
