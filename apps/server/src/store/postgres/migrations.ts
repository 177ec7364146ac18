import { readSql, type Migration } from "../migration.ts";

/** The migrations, in order. The build inlines their files: see tsdown.config.ts. */
export const postgresMigrations: readonly Migration[] = [
  {
    name: "initial schema",
    oldestCompatible: 1,
    sql: readSql(import.meta.url, [
      "001-initial-schema.sql",
      "001-write-pets.sql",
      "001-clear-expired.sql",
    ]),
  },
];
