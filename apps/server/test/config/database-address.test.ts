import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "@petstore/test-servers/processes";
import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { database, databaseForms, problems } from "./settings.ts";

const parameters =
  "the parameters are host, port, user, password, sslmode, sslrootcert, sslcert, sslkey, " +
  "application_name, options";
const sslModes = "verify-full (TLS with a checked certificate), no-verify (TLS) or disable";

test.each([
  ["sslmod=verify-full", `must not have sslmod: ${parameters}`],
  [
    "sslmode=verify-full&statement_timeout=0&pgbouncer=true",
    `must not have statement_timeout, pgbouncer: ${parameters}`,
  ],
  ["sslmode=require", `must have an sslmode of ${sslModes}`],
  ["sslmode=", `must have an sslmode of ${sslModes}`],
  ["sslrootcert=/no/such/file.pem", "must have an sslrootcert that names a readable file"],
  ["target_session_attrs=read-write", `must not have target_session_attrs: ${parameters}`],
])("a database address with %s is rejected, with the allowed values", (query, message) => {
  const url = `postgres://u:s3cret@db1,db2:5433/petstore?${query}`;
  expect(problems({ PETSTORE_DATABASE_URL: url })).toEqual([`PETSTORE_DATABASE_URL ${message}`]);
});

/** An address as vendors print it. */
const printed =
  "postgresql://u:s3cret@db/petstore?sslmode=require&channel_binding=require&connect_timeout=10";
const problemsOfPrinted = [
  `PETSTORE_DATABASE_URL must have an sslmode of ${sslModes}`,
  `PETSTORE_DATABASE_URL must not have channel_binding, connect_timeout: ${parameters}`,
];

test("all problems of an address as vendors print it are listed at once", () => {
  expect(problems({ PETSTORE_DATABASE_URL: printed })).toEqual(problemsOfPrinted);
});

test.each([`"`, "'", "`"])("settings in %s are reported, beside all other problems", (quote) => {
  const environment = {
    PETSTORE_DATABASE_URL: `${quote}${printed}${quote}`,
    PETSTORE_PORT: `${quote}8080${quote}`,
  };
  expect(problems(environment)).toEqual([
    "PETSTORE_DATABASE_URL is in quotes: remove the quotes",
    "PETSTORE_PORT is in quotes: remove the quotes",
    ...problemsOfPrinted,
  ]);
});

test("the database address is read from a file, which takes precedence over the variable", () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "database-url");
  const environment = { ...database, PETSTORE_DATABASE_URL_FILE: file };
  expect(problems(environment)).toEqual(["PETSTORE_DATABASE_URL_FILE cannot be read (ENOENT)"]);
  expect(problems({ PETSTORE_DATABASE_URL_FILE: file })).toEqual(problems(environment));
  writeFileSync(file, "postgres://u:s3cret@db/petstore\n");
  expect(readConfig(environment, false).databaseUrl).toBe("postgres://u:s3cret@db/petstore");
  writeFileSync(file, "s3cret\n");
  expect(problems(environment)).toEqual([`PETSTORE_DATABASE_URL ${databaseForms}`]);
});
