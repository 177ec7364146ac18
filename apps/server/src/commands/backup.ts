import { backUpDatabase, restoreDatabase, verifyBackup } from "../store/sqlite/backup.ts";
import type { DatabaseFileContent } from "../store/sqlite/file.ts";
import { CommandError, configuredDatabase, exitCodes, print, type CommandOptions, type Terminal } from "./command.ts";

/** Copies the SQLite database to a new file, also while a server writes it. */
export async function backUp(
  terminal: Terminal,
  file: string,
  options: CommandOptions,
  signal: AbortSignal,
): Promise<void> {
  const path = sqlitePath(terminal, options, "back it up with pg_dump or pg_basebackup");
  const content = await backUpDatabase(path, file, { now: terminal.now(), signal });
  await print(terminal.stdout, `${file} holds ${describe(content)}.\n`);
}

/** Puts a backup in the place of the configured SQLite database. With `verify` it only checks the backup. */
export async function restore(
  terminal: Terminal,
  file: string,
  { verify = false, ...options }: CommandOptions & { verify?: boolean },
  signal: AbortSignal,
): Promise<void> {
  if (verify) {
    const content = verifyBackup(file, terminal.now());
    await print(terminal.stdout, `${file} is whole, and holds ${describe(content)}.\n`);
    return;
  }
  const path = sqlitePath(terminal, options, "restore it with pg_restore, or from a base backup");
  const content = await restoreDatabase(file, path, { now: terminal.now(), signal });
  await print(terminal.stdout, `${path} is restored, with ${describe(content)}.\n`);
}

function sqlitePath(terminal: Terminal, options: CommandOptions, advice: string): string {
  const database = configuredDatabase(terminal, options);
  if (database.kind === "sqlite") return database.path;
  throw new CommandError(exitCodes.usage, `The database is PostgreSQL: ${advice}`);
}

function describe({ version, pets, orders, keys }: DatabaseFileContent): string {
  return `${pets} animals, ${orders} orders and ${keys} keys (schema ${version})`;
}
