import { readFileSync } from "node:fs";
import { ConfigError, readConfig, unknownSettings, type Config } from "../../config.ts";
import { parseDatabaseUrl } from "../../store/open.ts";
import { Servers } from "../../store/postgres/connect.ts";
import { CommandError, exitCodes, print, type Terminal } from "../command.ts";
import { ok, problem, warning, type Finding } from "./finding.ts";
import { diagnosePostgres } from "./postgres.ts";
import { diagnoseSqlite } from "./sqlite.ts";

/** `userId` is `undefined` on systems without user ids. */
interface ProcessFacts {
  nodeVersion: string;
  userId: number | undefined;
}

/** Checks the configuration, database and machine, and prints a line for each. Exits with 1 if there is a problem. */
export async function doctor(terminal: Terminal, facts: ProcessFacts, options: { json?: boolean }): Promise<void> {
  const { config, findings: configuration } = diagnoseConfiguration(terminal);
  const findings = [
    ...configuration,
    diagnoseNode(facts.nodeVersion),
    ...diagnoseOpenFiles(),
    ...(config === undefined ? [] : await diagnoseDatabase(config, terminal, facts)),
  ];
  const lines = findings.map(({ level, check, message }) => `${level.padEnd(7)}  ${check}: ${message}\n`);
  await print(terminal.stdout, options.json ? `${JSON.stringify(findings, null, 2)}\n` : lines.join(""));
  const problems = findings.filter(({ level }) => level === "problem").length;
  if (problems === 0) return;
  const message = problems === 1 ? "There is a problem." : `There are ${problems} problems.`;
  throw new CommandError(exitCodes.unexpected, message);
}

function diagnoseConfiguration({ environment, dev }: Terminal): { config?: Config; findings: Finding[] } {
  const check = "configuration";
  const unknown = unknownSettings(environment).map((name) =>
    warning(check, `${name} is not a setting and is ignored: check its spelling`),
  );
  try {
    const config = readConfig(environment, dev);
    return { config, findings: [ok(check, "all settings are valid"), ...unknown] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { findings: [...error.problems.map((message) => problem(check, message)), ...unknown] };
  }
}

/** The minimum in `package.json`. */
const minNode = [24, 15] as const;

function diagnoseNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isGood = major > minNode[0] || (major === minNode[0] && minor >= minNode[1]);
  return isGood ? ok("Node.js", version) : problem("Node.js", `${version}: install ${minNode.join(".")} or newer`);
}

/** Enough for the connections of a process, and some files. */
const minOpenFiles = 4_096 + 200;

function diagnoseOpenFiles(): Finding[] {
  let limits: string;
  try {
    limits = readFileSync("/proc/self/limits", "utf8");
  } catch {
    return []; // only on Linux
  }
  const limit = /^Max open files\s+(\S+)/m.exec(limits)?.[1] ?? "unlimited";
  if (limit === "unlimited" || Number(limit) >= minOpenFiles) return [ok("open files", `${limit} allowed`)];
  const advice = "raise the limit (ulimit -n, LimitNOFILE)";
  return [warning("open files", `${limit} allowed, and 4096 connections need ${minOpenFiles}: ${advice}`)];
}

async function diagnoseDatabase(
  config: Config,
  { now, limits }: Terminal,
  { userId }: ProcessFacts,
): Promise<Finding[]> {
  const address = parseDatabaseUrl(config.databaseUrl);
  if (address.kind === "postgres") return await diagnosePostgres(new Servers(address.url, limits), config, now);
  if (address.kind === "sqlite") return await diagnoseSqlite(address.path, userId);
  return [warning("database", "memory: all data is lost when the server stops")];
}
