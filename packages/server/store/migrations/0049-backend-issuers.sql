-- The issuer of the JWTs with which a backend vouches for its users, their audience, and the public keys as a JWK Set.
ALTER TABLE backends ADD COLUMN issuer TEXT;
ALTER TABLE backends ADD COLUMN audience TEXT;
ALTER TABLE backends ADD COLUMN jwks TEXT;
CREATE UNIQUE INDEX backends_issuer ON backends (issuer) WHERE issuer IS NOT NULL;
