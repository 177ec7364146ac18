import { keyState, type Store } from "@petstore/service/store";
import { isPending } from "../store/migration.ts";
import {
  backUpDatabase,
  recordBackup,
  restoreDatabase,
  verifyBackup,
} from "../store/sqlite/backup.ts";
import { readMigrations, type DatabaseFileContent } from "../store/sqlite/file.ts";
import {
  CommandError,
  configuredDatabase,
  exitCodes,
  operatorOf,
  print,
  withStore,
  type Terminal,
} from "./command.ts";

/** Copies the SQLite database to a new file, even while a server writes to it. */
export async function backUp(terminal: Terminal, file: string): Promise<void> {
  const path = sqlitePath(terminal, "back it up with pg_dump or pg_basebackup");
  const content = await backUpDatabase(path, file, terminal.stopSignal());
  recordBackup(path, operatorOf(terminal), file);
  await print(terminal.stdout, `${file} contains ${describe(content)}.\n`);
}

/** Restores a backup as the configured SQLite database. With `verify`, only checks the backup. */
export async function restore(
  terminal: Terminal,
  file: string,
  { verify = false }: { verify?: boolean },
): Promise<void> {
  if (verify) {
    const content = verifyBackup(file);
    await print(terminal.stdout, `${file} is intact and contains ${describe(content)}.\n`);
    return;
  }
  const path = sqlitePath(terminal, "restore it with pg_restore, or from a base backup");
  const content = await restoreDatabase(file, path, terminal.stopSignal());
  await print(terminal.stdout, `Restored ${path} with ${describe(content)}.\n`);
  const isCurrent = readMigrations(path).every((migration) => !isPending(migration));
  const revived = isCurrent
    ? await withStore(terminal, { mustExist: true }, (store) =>
        describeRevived(store, terminal.now()),
      )
    : "Keys that were revoked after the backup are valid, and ids that were given after it are given again.\n";
  await print(terminal.stderr, `${revived}${takeOver}\n`);
}

const takeOver =
  'Before you start the server, take revocations and the largest id over from the old database: see "After a restore" in docs/operations.md.';

/** What a backup brings back, because it does not know what happened after it. */
async function describeRevived(store: Store, now: number): Promise<string> {
  const active = (await store.listKeys()).filter((key) => keyState(key, now) === "active");
  const keys = active.map(({ id, name }) => `  ${id}  ${name}\n`).join("");
  const next = BigInt(await store.largestId()) + 1n;
  return `${keys === "" ? "" : `These keys are valid, even if they were revoked after the backup:\n${keys}`}\
New animals get ids from ${next} on, even if these were given after the backup.
`;
}

function sqlitePath(terminal: Terminal, advice: string): string {
  const database = configuredDatabase(terminal);
  if (database.kind === "sqlite") return database.path;
  throw new CommandError(exitCodes.usage, `The database is PostgreSQL: ${advice}`);
}

function describe({ version, pets, orders, keys }: DatabaseFileContent): string {
  return `${pets} animals, ${orders} orders and ${keys} keys (schema ${version})`;
}
