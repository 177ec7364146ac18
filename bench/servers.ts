// The compared servers. Each runs in its own process, with its own copy of a database file.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onFreePort } from "@petstore/test-kit/free-port";
import { startPostgresServer } from "@petstore/test-postgres/postgres-server";
import { animalLines, fillDatabase, makeDirectory, runCommand, startBundledServer } from "./bundled-server.ts";
import { benchRequests, type RequestName, type Server } from "./measure.ts";
import { startServer, type ServerOptions, type ServerProcess } from "./server-process.ts";

const peers: Readonly<Record<string, string>> = {
  fastify: pathOf("peers/fastify.ts"),
  hono: pathOf("peers/hono.ts"),
  express: pathOf("peers/express.ts"),
  "node:http": pathOf("peers/node-http.ts"),
};

const onPostgres = "ours on PostgreSQL";

/** Our server, every peer with the duties of a production service, and every peer as its documentation shows it. */
export const serverNames = [
  "ours",
  onPostgres,
  ...["fastify", "hono", "express"].flatMap((peer) => [`${peer}+duties`, peer]),
  "node:http",
];

const allRequests = Object.keys(benchRequests) as RequestName[];

export interface Servers extends AsyncDisposable {
  apiKey: string;
  /** Starts a server and waits until it responds. */
  start(name: string): Promise<Server>;
}

export interface Preparation {
  /** The compared builds of our server, by name. */
  bundles: Readonly<Record<string, string>>;
  /** Whether to reserve a core for the servers. */
  isPinned: boolean;
  /** How many animals the database has. */
  animals: number;
}

/** Creates the database with the operator's commands. Disposing it ends all servers. */
export function prepareServers({ bundles, isPinned, animals }: Preparation): Servers {
  for (const file of Object.values(bundles))
    if (!existsSync(file)) throw new Error(`${file} is missing: run pnpm build`);
  const directory = makeDirectory();
  const original = join(directory.path, "original.db");
  const apiKey = fillDatabase(`sqlite:${original}`, animals);
  // Reads the logs, like a log collector.
  const collector = spawn("cat", { stdio: ["pipe", "ignore", "inherit"] });
  const starting: Promise<ServerProcess>[] = [];
  let copies = 0;
  let postgres: Awaited<ReturnType<typeof startPostgresServer>> | undefined;

  function copyFile(): string {
    const file = join(directory.path, `${copies++}.db`);
    copyFileSync(original, file);
    return file;
  }

  /** The address of a PostgreSQL with the same animals and key. */
  async function copyToPostgres(): Promise<string> {
    postgres = await startPostgresServer();
    const url = `${postgres.url}/postgres`;
    runCommand(url, ["import", "keys", "-"], runCommand(`sqlite:${original}`, ["export", "keys"]));
    runCommand(url, ["import", "pets", "-"], animalLines(animals));
    return url;
  }

  return {
    apiKey,
    async start(name) {
      const options = { log: collector.stdin, isPinned };
      const program = bundles[name === onPostgres ? "ours" : name];
      const databaseUrl = async () => (name === onPostgres ? await copyToPostgres() : `sqlite:${copyFile()}`);
      const server = program
        ? startBundledServer(await databaseUrl(), { ...options, program })
        : startPeer(name, copyFile(), options);
      starting.push(server);
      // The peers show how frameworks compare: no more operations than that takes.
      return { ...(await server), name, requests: allRequests.filter((each) => program || each !== "change") };
    },

    async [Symbol.asyncDispose]() {
      for (const each of await Promise.allSettled(starting)) {
        if (each.status === "fulfilled") await each.value[Symbol.asyncDispose]();
      }
      await postgres?.[Symbol.asyncDispose]();
      collector.stdin.end();
      await once(collector, "exit");
      directory.remove();
    },
  };
}

async function startPeer(name: string, file: string, options: ServerOptions): Promise<ServerProcess> {
  const [peer = "", duties] = name.split("+");
  const argsFor = (port: number) => [peers[peer] ?? "", String(port), file, ...(duties ? ["--duties"] : [])];
  return await onFreePort((port) => startServer(port, argsFor(port), options));
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
