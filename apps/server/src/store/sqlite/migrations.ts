import { readSql, type Migration } from "../migration.ts";

/** The migrations, in order. The build inlines their files: see tsdown.config.ts. */
export const sqliteMigrations: readonly Migration[] = [
  {
    name: "initial schema",
    oldestCompatible: 1,
    sql: readSql(import.meta.url, ["001-initial-schema.sql"]),
  },
];
