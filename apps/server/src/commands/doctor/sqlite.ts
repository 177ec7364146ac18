import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { inspectDatabaseFile } from "../../store/sqlite/file.ts";
import { sqliteMigrations } from "../../store/sqlite/schema.ts";
import { diagnoseKeys, ok, problem, warning, type Finding } from "./finding.ts";

/** A larger log means that a reader blocks its checkpoint: the server limits it to 64 MiB. */
const largeLogBytes = 128 * 1024 * 1024;

/** Report when less disk space is left, in bytes. */
const freeBytes = { problem: 64 * 1024 * 1024, warning: 1024 * 1024 * 1024 };

/** Checks the file, its content, its directory and its disk. */
export async function diagnoseSqlite(path: string, userId: number | undefined): Promise<Finding[]> {
  const file = resolve(path);
  const directory = dirname(file);
  const surroundings = [...(await diagnoseDirectory(directory)), ...(await diagnoseSpace(directory))];
  const status = await stat(file).catch(() => undefined);
  if (status === undefined) {
    const advice = "create it with petstore-server migrate, or restore a backup";
    return [...surroundings, warning("database", `${file} does not exist yet: ${advice}`)];
  }
  const fileAccess = diagnoseAccess(file, status, userId);
  return [...diagnoseContent(file), fileAccess, await diagnoseLog(file), ...surroundings];
}

function diagnoseContent(file: string): Finding[] {
  const startedAt = performance.now();
  try {
    const { version, pets, orders, activeKeys } = inspectDatabaseFile(file);
    const took = `read in ${Math.round(performance.now() - startedAt)} ms`;
    const database = ok("database", `${file} is intact, ${pets} animals, ${orders} orders, ${took}`);
    return [database, diagnoseVersion(version), diagnoseKeys(activeKeys)];
  } catch (error) {
    return [problem("database", (error as Error).message)];
  }
}

function diagnoseVersion(version: number): Finding {
  const { length: newest } = sqliteMigrations;
  if (version < newest) return warning("schema", `${version} of ${newest}: run petstore-server migrate`);
  const state = version === newest ? "up to date" : "from a newer program, but compatible with this one";
  return ok("schema", `${version}, ${state}`);
}

function diagnoseAccess(file: string, { mode, uid }: { mode: number; uid: number }, userId?: number): Finding {
  const bits = (mode & 0o777).toString(8).padStart(4, "0");
  if (userId !== undefined && uid !== userId) {
    return warning("file access", `the file belongs to user ${uid}, but this is user ${userId}: run as user ${uid}`);
  }
  if ((mode & 0o077) === 0) return ok("file access", `mode ${bits}, accessible only to its owner`);
  return problem("file access", `mode ${bits} gives others access: run chmod 600 ${file}`);
}

async function diagnoseLog(file: string): Promise<Finding> {
  const { size } = await stat(`${file}-wal`).catch(() => ({ size: 0 }));
  if (size <= largeLogBytes) return ok("log", megabytes(size));
  return warning("log", `${megabytes(size)}: a process never finishes reading the database. Find and stop it`);
}

async function diagnoseDirectory(directory: string): Promise<Finding[]> {
  try {
    await access(directory, constants.W_OK | constants.X_OK);
    return [];
  } catch {
    return [problem("directory", `${directory} does not exist or is not writable: SQLite keeps its log there`)];
  }
}

async function diagnoseSpace(directory: string): Promise<Finding[]> {
  const system = await statfs(directory).catch(() => undefined);
  if (system === undefined) return [];
  const bytes = system.bavail * system.bsize;
  const message = `${megabytes(bytes)} left`;
  if (bytes >= freeBytes.warning) return [ok("disk", message)];
  return [(bytes < freeBytes.problem ? problem : warning)("disk", `${message}: free some space`)];
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2).toLocaleString("en")} MiB`;
}
