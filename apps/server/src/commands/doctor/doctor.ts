import { readFileSync } from "node:fs";
import { ConfigError, readConfig, unknownSettings, type Config } from "../../config.ts";
import { parseDatabaseUrl } from "../../store/open.ts";
import { CommandError, exitCodes, print, type CommandOptions, type Terminal } from "../command.ts";
import type { Finding } from "./finding.ts";
import { diagnosePostgres } from "./postgres.ts";
import { diagnoseSqlite } from "./sqlite.ts";

/** What a doctor has to be told about the process. */
export interface ProcessFacts {
  nodeVersion: string;
  /** The user; `undefined` where the system has no numbers for them. */
  userId: number | undefined;
}

/** Checks the configuration, the database and the machine, and prints a line for each. Exits with 1 when there is a problem. */
export async function doctor(
  terminal: Terminal,
  facts: ProcessFacts,
  { json = false, dev = false }: CommandOptions & { json?: boolean },
): Promise<void> {
  const { config, findings: configuration } = diagnoseConfiguration(terminal, dev);
  const findings = [
    ...configuration,
    diagnoseNode(facts.nodeVersion),
    ...diagnoseOpenFiles(),
    ...(config === undefined ? [] : await diagnoseDatabase(config, terminal, facts)),
  ];
  const lines = findings.map(({ level, check, message }) => `${level.padEnd(7)}  ${check}: ${message}\n`);
  await print(terminal.stdout, json ? `${JSON.stringify(findings, null, 2)}\n` : lines.join(""));
  const problems = findings.filter(({ level }) => level === "problem").length;
  if (problems === 0) return;
  throw new CommandError(
    exitCodes.unexpected,
    problems === 1 ? "There is a problem." : `There are ${problems} problems.`,
  );
}

function diagnoseConfiguration({ environment }: Terminal, dev: boolean): { config?: Config; findings: Finding[] } {
  const unknown = unknownSettings(environment).map((name): Finding => {
    return {
      level: "warning",
      check: "configuration",
      message: `${name} is no setting, and is ignored: is it misspelt?`,
    };
  });
  try {
    const config = readConfig(environment, dev);
    return {
      config,
      findings: [{ level: "ok", check: "configuration", message: "every setting is good" }, ...unknown],
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = error.problems.map((message): Finding => ({ level: "problem", check: "configuration", message }));
    return { findings: [...problems, ...unknown] };
  }
}

/** The one that `package.json` asks for. */
const leastNode = [24, 15] as const;

function diagnoseNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isGood = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  const advice = isGood ? "" : `: install ${leastNode.join(".")} or newer`;
  return { level: isGood ? "ok" : "problem", check: "Node.js", message: `${version}${advice}` };
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
  if (limit === "unlimited" || Number(limit) >= leastOpenFiles) {
    return [{ level: "ok", check: "open files", message: `${limit} allowed` }];
  }
  const message = `${limit} allowed, and 4096 connections need ${leastOpenFiles}: raise the limit (ulimit -n, LimitNOFILE)`;
  return [{ level: "warning", check: "open files", message }];
}

async function diagnoseDatabase(config: Config, { now }: Terminal, { userId }: ProcessFacts): Promise<Finding[]> {
  const address = parseDatabaseUrl(config.databaseUrl);
  if (address.kind === "postgres") return await diagnosePostgres(address.url, config, now);
  if (address.kind === "sqlite") return await diagnoseSqlite(address.path, { now: now(), userId });
  return [{ level: "warning", check: "database", message: "memory: everything is gone when the server stops" }];
}
