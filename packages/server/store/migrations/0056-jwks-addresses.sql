-- Where a backend publishes its public keys, and when the set in `jwks` was fetched from there; NULL: it came from a file.
ALTER TABLE backends ADD COLUMN jwks_url TEXT;
ALTER TABLE backends ADD COLUMN jwks_fetched_at {{int}};
