import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * A migration. It is applied once, in order, and never changes after its release: databases keep
 * its checksum.
 */
export interface Migration {
  name: string;
  /** The oldest schema version whose programs still work after this migration. */
  oldestCompatible: number;
  sql: string;
}

/**
 * The text of a migration: that of each of its files, after an empty line, with which databases
 * know its checksum.
 * @param list the module that lists the migrations, beside the folder with their files
 */
export function readSql(list: string, files: readonly string[]): string {
  return files
    .map((file) => `\n${readFileSync(new URL(`migrations/${file}`, list), "utf8")}`)
    .join("");
}

/** A row of the table `migrations`. */
export interface AppliedMigration {
  /** Its place in the list, from 1. */
  version: number;
  name: string;
  checksum: string;
  oldestCompatible: number;
  /** Milliseconds since 1970. */
  appliedAt: number;
}

/** A migration, and when it was applied. */
export interface MigrationStatus extends Pick<AppliedMigration, "version" | "name"> {
  /** Milliseconds since 1970; `undefined` if it is pending. */
  appliedAt?: number | undefined;
  /** `undefined` if a newer version has applied it. */
  step?: Migration;
}

/** What follows the name of a database that another version made, without a way to upgrade it. */
export const madeByAnother =
  "was made by another version of this program: export the data with that version and import it with this one, as docs/upgrading.md says";

/** The error where the caller has no better one. */
export function asError(finding: string): Error {
  return new Error(`The database ${finding}`);
}

/**
 * Compares the migrations of a database with those of this program.
 * @param reject makes the error for a sentence that follows the name of the database
 * @throws {Error} if they differ, or if newer ones are not compatible
 */
export function compareMigrations(
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
  reject = asError,
): MigrationStatus[] {
  const own = known.map((step, index): MigrationStatus => {
    const version = index + 1;
    const found = applied.find((each) => each.version === version);
    if (found !== undefined && found.checksum !== checksum(step)) throw reject(madeByAnother);
    return { version, name: step.name, appliedAt: found?.appliedAt, step };
  });
  const newer = applied.filter(({ version }) => version > known.length);
  const incompatible = newer.find(({ oldestCompatible }) => oldestCompatible > known.length);
  if (incompatible !== undefined) {
    const finding = `has schema ${incompatible.version}, but this program knows only ${known.length}`;
    throw reject(`${finding}: use the newer program that wrote it`);
  }
  return [...own, ...newer.map(({ version, name, appliedAt }) => ({ version, name, appliedAt }))];
}

export function isPending({ appliedAt }: MigrationStatus): boolean {
  return appliedAt === undefined;
}

/** Of the text, as databases keep it. */
export function checksum({ sql }: Pick<Migration, "sql">): string {
  return createHash("sha256").update(sql).digest("hex");
}
