import type { Int64 } from "@petstore/contract";
import type { AuditEntry, Author, ImportCount, PetChange } from "@petstore/service";

const columns = "at, operator, action, details";

/**
 * The statements of the audit trail. `insert` takes a parameter for each value of
 * {@link auditValues}.
 */
export const auditSql = {
  list: `SELECT ${columns} FROM audit ORDER BY number`,
  lastBackup: "SELECT max(at) FROM audit WHERE action = 'backed_up'",
  insert: (parameters: string) => `INSERT INTO audit (${columns}) VALUES (${parameters})`,
};

export type AuditRow = [
  at: string | bigint,
  operator: string,
  action: AuditEntry["action"],
  details: string,
];

/** An entry before it is stored. */
export type NewEntry = Pick<AuditEntry, "action" | "details">;

/** Who changes animals with a command. */
export function operatorNow(operator: string): Author {
  return { at: Date.now(), by: operator };
}

export function auditValues(operator: string, { action, details }: NewEntry): (number | string)[] {
  return [Date.now(), operator, action, JSON.stringify(details)];
}

/** The entry for a larger number from which new animals count on. */
export function numberingEntry(id: Int64): NewEntry {
  return { action: "numbering_imported", details: { id: String(id) } };
}

/** How many changes of an animal are read at a time. */
export const changesPerPage = 1_000;

/** Reads the changes of an animal: `read` returns those after a number, each with its own. */
export async function* changePages<Place extends string | bigint>(
  read: (after: Place | number) => Promise<[number: Place, change: PetChange][]>,
): AsyncGenerator<PetChange[]> {
  for (let after: Place | number | undefined = 0; after !== undefined;) {
    const page: [number: Place, change: PetChange][] = await read(after);
    yield page.map(([, change]) => change);
    after = page.length === changesPerPage ? page.at(-1)?.[0] : undefined;
  }
}

export function toAuditEntry([at, operator, action, details]: AuditRow): AuditEntry {
  return {
    at: Number(at),
    operator,
    action,
    details: JSON.parse(details) as AuditEntry["details"],
  };
}

/** The entry for an import, unless it changed nothing. */
export function importEntry(
  action: AuditEntry["action"],
  { ...count }: ImportCount,
): NewEntry | undefined {
  return count.stored + count.changed > 0 ? { action, details: count } : undefined;
}
