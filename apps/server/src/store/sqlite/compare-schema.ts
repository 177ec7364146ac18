import { DatabaseSync } from "node:sqlite";
import {
  schemaDifferences,
  type SchemaDifferences,
  type SchemaPart,
} from "../schema-differences.ts";
import { readUnchanged } from "./file.ts";
import { migrate, readStatus } from "./migrate.ts";

/**
 * Compares the schema of a database file with that of a new one, without changing anything.
 * @throws {DatabaseFileError} if the file cannot be read
 */
export function compareSqliteSchema(file: string): SchemaDifferences {
  return readUnchanged(file, (database) => {
    // This program does not know what a newer one has added.
    const isNewer = readStatus(database).some(({ step }) => step === undefined);
    if (isNewer) return { problems: [], warnings: [] };
    using empty = new DatabaseSync(":memory:");
    migrate(empty);
    return schemaDifferences(readParts(empty), readParts(database));
  });
}

/** Without the indexes that SQLite makes for constraints: they are part of their table. */
function readParts(database: DatabaseSync): SchemaPart[] {
  const rows = database.prepare(
    `SELECT type AS kind, name, CASE type WHEN 'table' THEN NULL ELSE tbl_name END AS "table", sql
       FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type = 'table' DESC, rowid`,
  );
  return rows.all().map(({ kind, name, table = null, sql }) => ({
    kind: String(kind) as SchemaPart["kind"], // a view has another, and no part of ours is one
    name: String(name),
    table: table === null ? null : String(table),
    definition: toTokens(String(sql)),
  }));
}

/**
 * SQLite keeps the text of statements. Of one that was written by hand, spaces, comments and quotes
 * of names do not matter.
 */
function toTokens(sql: string): string {
  const tokens = sql.match(/'(?:[^']|'')*'|"[^"]*"|--.*|\/\*[^]*?\*\/|\w+|\S/g) ?? [];
  return tokens
    .filter((token) => !/^(?:--|\/\*)/.test(token))
    .map((token) => (token.startsWith("'") ? token : token.replaceAll('"', "").toLowerCase()))
    .join(" ");
}
