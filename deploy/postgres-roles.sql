-- Creates the database `petstore` and two roles without superuser rights, with the passwords in the environment. Run it as a superuser:
-- psql -v ON_ERROR_STOP=1 -f deploy/postgres-roles.sql postgres
\getenv owner_password OWNER_PASSWORD
\getenv server_password SERVER_PASSWORD

-- Owns the tables: for `petstore-server migrate`.
CREATE ROLE petstore_owner LOGIN PASSWORD :'owner_password';
-- Reads and writes rows: for every other command.
CREATE ROLE petstore LOGIN PASSWORD :'server_password';
-- The time limits of the server. A pooler drops those that the server sends, so set them here too.
ALTER ROLE petstore SET statement_timeout = '2500ms';
ALTER ROLE petstore SET lock_timeout = '1000ms';
ALTER ROLE petstore SET idle_in_transaction_session_timeout = '5000ms';

CREATE DATABASE petstore OWNER petstore_owner TEMPLATE template0 ENCODING 'UTF8';
REVOKE ALL ON DATABASE petstore FROM PUBLIC;
GRANT CONNECT ON DATABASE petstore TO petstore;

\connect petstore
ALTER DEFAULT PRIVILEGES FOR ROLE petstore_owner GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO petstore;
