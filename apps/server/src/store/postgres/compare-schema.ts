import { randomBytes } from "node:crypto";
import { DatabaseError, type Client } from "pg";
import { isPending } from "../migration.ts";
import {
  schemaDifferences,
  type SchemaDifferences,
  type SchemaPart,
} from "../schema-differences.ts";
import { toStoreError } from "./errors.ts";
import { migrationStatus, migrationsTable } from "./migrate.ts";
import { postgresMigrations } from "./migrations.ts";
import { begin, connectAlone, type Servers } from "./servers.ts";

/**
 * Compares the schema of a database with that of an empty one, which it makes in a schema of its
 * own and rolls back.
 * @throws {StoreUnavailableError} if the database cannot be reached
 */
export async function comparePostgresSchema(servers: Servers): Promise<SchemaDifferences> {
  // This program does not know what a newer one has added, and what is pending is not missing.
  const isOurs = (await migrationStatus(servers)).every(
    (each) => each.step !== undefined && !isPending(each),
  );
  if (!isOurs) return { problems: [], warnings: [] };
  const client = await connectAlone(servers, {
    connectionTimeoutMillis: servers.limits.connect,
    query_timeout: servers.limits.call,
    application_name: "petstore check",
  });
  try {
    await client.query(begin);
    // One schema, so that PostgreSQL leaves it out of definitions. The tables of a pooled session
    // come last, because else they come first.
    await client.query(
      "SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', TRUE)",
    );
    const actual = await readParts(client);
    const empty = await readEmpty(client);
    return typeof empty === "string"
      ? { problems: [], warnings: [notCompared(empty)] }
      : schemaDifferences(empty, actual);
  } catch (error) {
    throw toStoreError(error);
  } finally {
    // If this fails, the end of the session rolls back.
    await client.query("ROLLBACK").catch(() => {});
    await client.end().catch(() => {});
  }
}

function notCompared(reason: string): string {
  return `the tables were not compared with those of an empty database (${reason}): run doctor as the owner of the database`;
}

/** Returns the message of the database if it does not allow to make the tables. */
async function readEmpty(client: Client): Promise<SchemaPart[] | string> {
  const schema = `petstore_doctor_${randomBytes(8).toString("hex")}`;
  const statements = [
    `CREATE SCHEMA ${schema}`,
    `SET LOCAL search_path TO ${schema}, pg_temp`,
    migrationsTable,
  ];
  try {
    for (const sql of [...statements, ...postgresMigrations.map((step) => step.sql)])
      await client.query(sql);
    return await readParts(client);
  } catch (error) {
    if (error instanceof DatabaseError) return error.message.replaceAll(/\s+/g, " ");
    throw error;
  }
}

async function readParts(client: Client): Promise<SchemaPart[]> {
  return (await client.query<SchemaPart>(listParts)).rows;
}

/**
 * Only what the catalogs of every supported version have in common: PostgreSQL 18 also lists NOT
 * NULL as constraints. Storage parameters are for the operator to set. A trigger that is always
 * enabled does the same here as one that is enabled.
 */
const listParts = `
WITH namespace AS (SELECT oid FROM pg_namespace WHERE nspname = current_schema()),
tables AS (
  SELECT c.oid, relname, relkind, relpersistence FROM pg_class AS c
  JOIN namespace ON namespace.oid = relnamespace WHERE relkind IN ('r', 'p', 'v', 'm', 'f')
),
parts (place, kind, name, "table", definition, fault) AS (
  SELECT 1, 'table', relname::text, NULL::text, relkind::text,
      CASE relpersistence WHEN 'u' THEN 'unlogged' END FROM tables
  UNION ALL
  SELECT 2, 'column', attname, relname, concat_ws(' ', format_type(atttypid, atttypmod),
      CASE WHEN attnotnull THEN 'NOT NULL' END, nullif(attcollation, typcollation)::regcollation,
      pg_get_expr(adbin, adrelid, true), attidentity, attgenerated), NULL
    FROM tables JOIN pg_attribute ON attrelid = tables.oid AND attnum > 0 AND NOT attisdropped
    JOIN pg_type AS t ON t.oid = atttypid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  UNION ALL
  SELECT 3, 'constraint', conname, relname, pg_get_constraintdef(c.oid, true), NULL
    FROM tables JOIN pg_constraint AS c ON conrelid = tables.oid
    WHERE contype IN ('p', 'u', 'c', 'f')
  UNION ALL
  SELECT 4, 'index', i.relname, tables.relname,
      regexp_replace(pg_get_indexdef(indexrelid, 0, true), ' WITH [(][^)]*[)]', ''),
      CASE WHEN NOT indisvalid THEN 'invalid' END
    FROM tables JOIN pg_index ON indrelid = tables.oid JOIN pg_class AS i ON i.oid = indexrelid
    WHERE NOT EXISTS (
      SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
  UNION ALL
  SELECT 5, 'trigger', tgname, relname, pg_get_triggerdef(t.oid, true),
      CASE WHEN tgenabled NOT IN ('O', 'A') THEN 'disabled' END
    FROM tables JOIN pg_trigger AS t ON tgrelid = tables.oid WHERE NOT tgisinternal
  UNION ALL
  SELECT 6, 'function', format('%s(%s)', proname, pg_get_function_identity_arguments(p.oid)), NULL,
      jsonb_build_array(pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), lanname,
        provolatile, proisstrict, prosecdef, proconfig, prosrc)::text, NULL
    FROM pg_proc AS p JOIN namespace ON namespace.oid = pronamespace
    JOIN pg_language AS l ON l.oid = prolang
)
SELECT kind, name, "table", definition, fault FROM parts
ORDER BY place, "table" COLLATE "C", name COLLATE "C"`;
