// The compared servers. Each runs in its own process, with its own copy of a database.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { onFreePort } from "@petstore/test-kit/free-port";
import { startPostgresServer } from "@petstore/test-postgres/postgres-server";
import { benchRequests, type RequestName, type Server } from "./measure.ts";
import {
  animalLines,
  bundle,
  fillDatabase,
  makeDirectory,
  runCommand,
  startBundledServer,
  startServer,
  type ServerProcess,
} from "./server-process.ts";

const allRequests = Object.keys(benchRequests) as RequestName[];

interface Preparation {
  /** The compared builds of our server, by name. */
  bundles: Readonly<Record<string, string>>;
  /** Whether to reserve a core for the servers. */
  isPinned: boolean;
  /** How many animals the database has. */
  animals: number;
}

/**
 * Creates the databases with the operator's commands, and starts a server on each, first the builds
 * of ours. Disposing it ends all servers.
 */
export async function startServers({ bundles, isPinned, animals }: Preparation) {
  for (const file of Object.values(bundles))
    if (!existsSync(file)) throw new Error(`${file} is missing: run pnpm build`);
  await using stack = new AsyncDisposableStack();
  const directory = stack.use(makeDirectory());
  const original = join(directory.path, "original.db");
  const apiKey = fillDatabase(`sqlite:${original}`, animals);
  // Reads the logs, like a log collector.
  const collector = spawn("cat", { stdio: ["pipe", "ignore", "inherit"] });
  stack.defer(async () => {
    collector.stdin.end();
    await once(collector, "exit");
  });
  const postgres = stack.use(await startPostgresServer());
  const postgresUrl = `${postgres.url}/postgres`;
  runCommand(
    postgresUrl,
    ["import", "keys", "-"],
    runCommand(`sqlite:${original}`, ["export", "keys"]),
  );
  runCommand(postgresUrl, ["import", "pets", "-"], animalLines(animals));

  const options = { log: collector.stdin, isPinned };
  const started: Server[] = [];
  async function add(
    name: string,
    starting: Promise<ServerProcess>,
    requests = allRequests,
  ): Promise<void> {
    started.push({ ...stack.use(await starting), name, requests });
  }

  function copyOf(name: string): string {
    const file = join(directory.path, `${name.replaceAll("/", "-")}.db`);
    copyFileSync(original, file);
    return file;
  }

  for (const [name, program] of Object.entries(bundles))
    await add(name, startBundledServer(`sqlite:${copyOf(name)}`, { ...options, program }));
  const [program = bundle] = Object.values(bundles);
  await add("ours on PostgreSQL", startBundledServer(postgresUrl, { ...options, program }));
  const peer = join(import.meta.dirname, "fastify.ts");
  const startFastify = (port: number) =>
    startServer(port, [peer, String(port), copyOf("fastify")], options);
  // It shows what a framework costs, for which these requests are enough.
  const requests = allRequests.filter((each) => each !== "change");
  await add("fastify", onFreePort(startFastify), requests);
  const all = stack.move();
  return { apiKey, started, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
