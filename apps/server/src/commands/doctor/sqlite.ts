import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { inspectDatabaseFile } from "../../store/sqlite/file.ts";
import { sqliteMigrations } from "../../store/sqlite/schema.ts";
import { diagnoseIds, diagnoseKeys, type Finding } from "./finding.ts";

/** A log larger than this is one that a reader keeps from being written back: the server asks for 64 MiB at most. */
const largeLogBytes = 128 * 1024 * 1024;

/** How little space may be left on the disk, in bytes. */
const freeBytes = { problem: 64 * 1024 * 1024, warning: 1024 * 1024 * 1024 };

/** Checks the file, its surroundings and its content. */
export async function diagnoseSqlite(
  path: string,
  { now, userId }: { now: number; userId: number | undefined },
): Promise<Finding[]> {
  const file = resolve(path);
  const directory = dirname(file);
  const surroundings = [await diagnoseDirectory(directory), await diagnoseSpace(directory)].flatMap((each) => each);
  const status = await stat(file).catch(() => undefined);
  if (status === undefined) {
    const message = `${file} does not exist yet: create it with petstore-server migrate, or restore a backup`;
    return [...surroundings, { level: "warning", check: "database", message }];
  }
  return [
    ...diagnoseContent(file, now),
    diagnoseAccess(file, status, userId),
    await diagnoseLog(file),
    ...surroundings,
  ];
}

function diagnoseContent(file: string, now: number): Finding[] {
  const startedAt = performance.now();
  try {
    const { version, pets, isIdLeft, orders, activeKeys } = inspectDatabaseFile(file, { check: "quick_check", now });
    const took = `read in ${Math.round(performance.now() - startedAt)} ms`;
    return [
      { level: "ok", check: "database", message: `${file} is whole, ${pets} animals, ${orders} orders, ${took}` },
      diagnoseVersion(version),
      diagnoseIds(isIdLeft),
      diagnoseKeys(activeKeys),
    ];
  } catch (error) {
    return [{ level: "problem", check: "database", message: (error as Error).message }];
  }
}

function diagnoseVersion(version: number): Finding {
  if (version === sqliteMigrations.length) return { level: "ok", check: "schema", message: `${version}, up to date` };
  if (version > sqliteMigrations.length) {
    const message = `${version}, of a newer program, and compatible with this one`;
    return { level: "ok", check: "schema", message };
  }
  const message = `${version} of ${sqliteMigrations.length}: run petstore-server migrate`;
  return { level: "warning", check: "schema", message };
}

function diagnoseAccess(file: string, { mode, uid }: { mode: number; uid: number }, userId?: number): Finding {
  const bits = (mode & 0o777).toString(8).padStart(4, "0");
  const check = "file access";
  if (userId !== undefined && uid !== userId) {
    const message = `the file belongs to user ${uid}, and this is user ${userId}: run as that user`;
    return { level: "warning", check, message };
  }
  if ((mode & 0o077) === 0) return { level: "ok", check, message: `mode ${bits}, for its owner only` };
  return { level: "problem", check, message: `mode ${bits} lets others in: chmod 600 ${file}` };
}

async function diagnoseLog(file: string): Promise<Finding> {
  const { size } = await stat(`${file}-wal`).catch(() => ({ size: 0 }));
  if (size <= largeLogBytes) return { level: "ok", check: "log", message: megabytes(size) };
  const message = `${megabytes(size)}: some process reads the database without end, find and stop it`;
  return { level: "warning", check: "log", message };
}

async function diagnoseDirectory(directory: string): Promise<Finding[]> {
  try {
    await access(directory, constants.W_OK | constants.X_OK);
    return [];
  } catch {
    const message = `${directory} does not exist or cannot be written: SQLite keeps its log there`;
    return [{ level: "problem", check: "directory", message }];
  }
}

async function diagnoseSpace(directory: string): Promise<Finding[]> {
  const system = await statfs(directory).catch(() => undefined);
  if (system === undefined) return [];
  const bytes = system.bavail * system.bsize;
  const message = `${megabytes(bytes)} left`;
  if (bytes >= freeBytes.warning) return [{ level: "ok", check: "disk", message }];
  const level = bytes < freeBytes.problem ? "problem" : "warning";
  return [{ level, check: "disk", message: `${message}: make room` }];
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2).toLocaleString("en")} MiB`;
}
