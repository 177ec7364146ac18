/** A part of a schema, as a database describes it. */
export interface SchemaPart {
  kind: "table" | "column" | "constraint" | "index" | "trigger" | "function";
  name: string;
  /** The table that it belongs to. */
  table: string | null;
  /** Equal for equal parts. */
  definition: string;
  /** What keeps it from working. */
  fault?: keyof typeof repairs | null;
}

/** What repairs a part, by its fault. */
const repairs = {
  disabled: ({ name, table }: SchemaPart) => `ALTER TABLE ${table} ENABLE TRIGGER ${name}`,
  invalid: ({ name }: SchemaPart) => `REINDEX INDEX ${name}`,
  unlogged: ({ name }: SchemaPart) => `ALTER TABLE ${name} SET LOGGED`,
};

/** One line for the operator each. A warning may be intended. */
export interface SchemaDifferences {
  problems: string[];
  warnings: string[];
}

/**
 * Compares the schema of a database with that of an empty one. Tables, indexes and functions that
 * only the database has are no difference: operators and programs for backups add them.
 */
export function schemaDifferences(
  empty: readonly SchemaPart[],
  actual: readonly SchemaPart[],
): SchemaDifferences {
  const found = new Map(actual.map((part) => [keyOf(part), part]));
  const known = new Map(empty.map((part) => [keyOf(part), part]));
  // Without its table, no part is there.
  const hasTable = ({ table }: SchemaPart) =>
    table === null || found.has(keyOf({ kind: "table", name: table }));
  const extra = actual.filter((part) => !known.has(keyOf(part)) && known.has(keyOf(tableOf(part))));
  const ofKinds = (...kinds: SchemaPart["kind"][]) =>
    extra.filter(({ kind }) => kinds.includes(kind));
  return {
    problems: [
      ...empty.filter(hasTable).flatMap((part) => differences(part, found.get(keyOf(part)))),
      ...ofKinds("column", "constraint").map(
        (part) => `${onlyHere(part)}: drop it, because it may reject writes`,
      ),
    ],
    warnings: ofKinds("trigger").map((part) => `${onlyHere(part)}: it may reject or change writes`),
  };
}

function differences(empty: SchemaPart, actual: SchemaPart | undefined): string[] {
  const part = `the ${nameOf(empty)}`;
  if (actual === undefined) {
    return [`${part} is missing: restore a backup, or create it as an empty database has it`];
  }
  const { fault = null } = actual;
  const isFaulty = fault !== null && fault !== empty.fault;
  if (isFaulty) return [`${part} is ${fault}: run ${repairs[fault](empty)}`];
  if (actual.definition === empty.definition && fault === (empty.fault ?? null)) return [];
  return [`${part} differs from that of an empty database: restore a backup, or change it back`];
}

function onlyHere(part: SchemaPart): string {
  return `an empty database has no ${nameOf(part)}`;
}

function nameOf({ kind, name, table }: SchemaPart): string {
  return table === null ? `${kind} ${name}` : `${kind} ${name} of ${table}`;
}

function tableOf({ table }: SchemaPart): Pick<SchemaPart, "kind" | "name"> {
  return { kind: "table", name: table ?? "" };
}

function keyOf({
  kind,
  name,
  table = null,
}: Pick<SchemaPart, "kind" | "name"> & Partial<SchemaPart>): string {
  return JSON.stringify([kind, table, name]);
}
