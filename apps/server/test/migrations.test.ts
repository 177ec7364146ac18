import { expect, test } from "vitest";
import { checksum } from "../src/store/migrations.ts";
import { postgresMigrations } from "../src/store/postgres/migrations.ts";
import { sqliteMigrations } from "../src/store/sqlite/schema.ts";

/**
 * The SHA-256 of each migration, as databases keep it. A program with another text refuses the database.
 *
 * Before the first release, a changed schema changes a line here, and its databases have to be moved. From the first release on, a line
 * never changes: a new migration adds one.
 */
const texts = {
  SQLite: ["dfda0bc6bcfd2a38f2fd43f51ff5d32c312c471b38645425a6cfac776a107a22"],
  PostgreSQL: ["8a69ee9ad8812e5921f08c4a61006a3e31c5b45e528190559dbfddda6341e2e7"],
};

test.for([
  ["SQLite", sqliteMigrations],
  ["PostgreSQL", postgresMigrations],
] as const)("the migrations of %s have the text with which databases were made", ([database, migrations]) => {
  expect(migrations.map(checksum)).toEqual(texts[database]);
});
