// The compared servers. Each runs in its own process, with its own copy of a database file.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onFreePort } from "@petstore/test-kit/free-port";
import { fillDatabase, makeDirectory, startBundledServer } from "./bundled-server.ts";
import { startServer, type ServerOptions, type ServerProcess } from "./server-process.ts";

const peers: Readonly<Record<string, string>> = {
  fastify: pathOf("peers/fastify.ts"),
  hono: pathOf("peers/hono.ts"),
  express: pathOf("peers/express.ts"),
  "node:http": pathOf("peers/node-http.ts"),
};

/** Our server, every peer with the duties of a production service, and every peer as its documentation shows it. */
export const serverNames = [
  "ours",
  ...["fastify", "hono", "express"].flatMap((peer) => [`${peer}+duties`, peer]),
  "node:http",
];

export type Server = Pick<ServerProcess, "port" | "cpuTime"> & { name: string };

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

  return {
    apiKey,
    async start(name) {
      const file = join(directory.path, `${copies++}.db`);
      copyFileSync(original, file);
      const options = { log: collector.stdin, isPinned };
      const program = bundles[name];
      const server = program
        ? startBundledServer(`sqlite:${file}`, { ...options, program })
        : startPeer(name, file, options);
      starting.push(server);
      return { ...(await server), name };
    },

    async [Symbol.asyncDispose]() {
      for (const each of await Promise.allSettled(starting)) {
        if (each.status === "fulfilled") await each.value[Symbol.asyncDispose]();
      }
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
