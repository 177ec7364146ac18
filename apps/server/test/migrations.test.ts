import { expect, test } from "vitest";
import { checksum } from "../src/store/migration.ts";
import { postgresMigrations } from "../src/store/postgres/migrations.ts";
import { sqliteMigrations } from "../src/store/sqlite/migrations.ts";

/**
 * The SHA-256 of each migration, as databases keep it. A program with another text refuses the
 * database.
 *
 * Before the first release, a changed schema changes a line here, and its databases have to be
 * moved. From the first release on, a line never changes: a new migration adds one.
 */
const texts = {
  SQLite: ["dfda0bc6bcfd2a38f2fd43f51ff5d32c312c471b38645425a6cfac776a107a22"],
  PostgreSQL: ["575720717b887a474ff58ac7cd7958ee5226bec40f62de71724a103e085092aa"],
};

test.for([
  ["SQLite", sqliteMigrations],
  ["PostgreSQL", postgresMigrations],
] as const)(
  "the migrations of %s have the text with which databases were made",
  ([database, migrations]) => {
    expect(migrations.map(checksum)).toEqual(texts[database]);
  },
);
