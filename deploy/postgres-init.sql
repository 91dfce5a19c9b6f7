-- Runs once, as the superuser, when the volume of PostgreSQL is empty. The service connects as `parley`: that role owns
-- its database and has no other rights, so a stolen DATABASE_URL cannot read files or start programs.
\getenv password PARLEY_PASSWORD
CREATE ROLE parley LOGIN PASSWORD :'password';
CREATE DATABASE parley OWNER parley;
-- Without a password the superuser can connect only from inside the container (docker compose exec postgres psql).
ALTER ROLE CURRENT_USER PASSWORD NULL;
