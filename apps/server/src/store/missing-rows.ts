/**
 * The tables that lack the row that they always have. A restore of some tables may leave it out.
 */
export const missingRowsSql = ["key_version", "numbering", "retention", "secrets"]
  .map((table) => `SELECT '${table}' WHERE NOT EXISTS (SELECT 1 FROM ${table})`)
  .join(" UNION ALL ");

/** The sentence about such tables, after what has them. */
export function missingRows(tables: readonly string[]): string {
  return `lacks the row of ${tables.join(" and ")}: copy it from the database that the animals are from`;
}
