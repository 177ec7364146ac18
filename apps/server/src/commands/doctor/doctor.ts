import { readFileSync } from "node:fs";
import { ConfigError, readConfig, unknownSettings, type Config } from "../../config.ts";
import { parseDatabaseUrl } from "../../store/open.ts";
import { CommandError, exitCodes, print, type Terminal } from "../command.ts";
import { ok, problem, warning, type Finding } from "./finding.ts";
import { diagnosePostgres } from "./postgres.ts";
import { diagnoseSqlite } from "./sqlite.ts";

/** The user has an id where the system has numbers for them. */
interface ProcessFacts {
  nodeVersion: string;
  userId: number | undefined;
}

/** Checks the configuration, the database and the machine, and prints a line for each. Exits with 1 when there is a problem. */
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
    warning(check, `${name} is no setting, and is ignored: is it misspelt?`),
  );
  try {
    const config = readConfig(environment, dev);
    return { config, findings: [ok(check, "every setting is good"), ...unknown] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { findings: [...error.problems.map((message) => problem(check, message)), ...unknown] };
  }
}

/** The one that `package.json` asks for. */
const leastNode = [24, 15] as const;

function diagnoseNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isGood = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  return isGood ? ok("Node.js", version) : problem("Node.js", `${version}: install ${leastNode.join(".")} or newer`);
}

/** The connections of a process, and some files beside them. */
const leastOpenFiles = 4_096 + 200;

function diagnoseOpenFiles(): Finding[] {
  let limits: string;
  try {
    limits = readFileSync("/proc/self/limits", "utf8");
  } catch {
    return []; // only Linux has it
  }
  const limit = /^Max open files\s+(\S+)/m.exec(limits)?.[1] ?? "unlimited";
  if (limit === "unlimited" || Number(limit) >= leastOpenFiles) return [ok("open files", `${limit} allowed`)];
  const advice = "raise the limit (ulimit -n, LimitNOFILE)";
  return [warning("open files", `${limit} allowed, and 4096 connections need ${leastOpenFiles}: ${advice}`)];
}

async function diagnoseDatabase(config: Config, { now }: Terminal, { userId }: ProcessFacts): Promise<Finding[]> {
  const address = parseDatabaseUrl(config.databaseUrl);
  if (address.kind === "postgres") return await diagnosePostgres(address.url, config, now);
  if (address.kind === "sqlite") return await diagnoseSqlite(address.path, userId);
  return [warning("database", "memory: everything is gone when the server stops")];
}
