-- What a person shows beside its name. A row that has ended is not read; it stays until the next one replaces it.
CREATE TABLE statuses (
  account_key {{int}} PRIMARY KEY,
  emoji TEXT,
  text TEXT,
  ends_at {{int}}
);
