import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "@petstore/service";
import type { Logger } from "pino";
import { createApp } from "../../api/app.ts";
import {
  developmentDirectory,
  readConfig,
  serviceAdvice,
  settingsOfServices,
  unknownSettings,
  type Config,
} from "../../config.ts";
import { listen } from "../../http/listen.ts";
import { listenForAdministration, type AdminServer } from "../../monitoring/admin.ts";
import { watchBackground } from "../../monitoring/background-failures.ts";
import { createLog, withoutWaiting } from "../../monitoring/log.ts";
import { createMetrics, type Metrics } from "../../monitoring/metrics.ts";
import { createReadiness } from "../../monitoring/readiness.ts";
import { openStore } from "../../store/open.ts";
import {
  closeStore,
  CommandError,
  createDevelopmentDirectory,
  exitCodes,
  operatorOf,
  type Terminal,
} from "../command.ts";
import { prepareDevelopment, welcome, writeDevelopmentUrl } from "./development.ts";
import { nextStopSignal } from "./stop-signal.ts";

/** The parts of a serving process. */
interface Serving {
  config: Config;
  terminal: Terminal;
  store: Store;
  log: Logger;
  metrics: Metrics;
  admin: AdminServer | undefined;
  stopSignal: Promise<NodeJS.Signals>;
}

/** Serves until SIGTERM or SIGINT. */
export async function serve(terminal: Terminal): Promise<void> {
  const { dev } = terminal;
  const config = readConfig(terminal.environment, dev);
  if (config.databaseUrl === "memory:" && !dev) {
    const message = "PETSTORE_DATABASE_URL is memory:, which has no API key: use it with --dev";
    throw new CommandError(exitCodes.configuration, message);
  }
  const stopSignal = nextStopSignal();
  if (dev) createDevelopmentDirectory();
  const log = await openLog(config, terminal);
  const admin = config.admin ? await openAdmin(config.admin) : undefined;
  const metrics = createMetrics();
  try {
    const opening = openStore(config.databaseUrl, {
      limits: terminal.limits,
      poolSize: config.databasePoolSize,
      historyMs: config.historyMs,
      isServing: true,
      operator: operatorOf(terminal),
      onCommit: (count, ms) => metrics.committed(count, ms),
      onCreated: (created) => {
        if (!dev)
          log.warn(
            { created },
            "the database was missing or empty and has been created: check its address and its volume",
          );
      },
      onIdleError: (error) =>
        log.warn({ reason: error.message }, "a connection to the database broke"),
      ...watchBackground({ log, metrics, now: terminal.now }),
    });
    // Opening may wait for the migrations of another process, however long they take.
    const store = await Promise.race([opening, stopSignal.then(() => undefined)]);
    if (store === undefined) return;
    try {
      if (admin) log.info({ url: admin.url }, "admin port open");
      const serving: Serving = { config, terminal, store, log, metrics, admin, stopSignal };
      metrics.measureStore(store);
      if (dev) await serveDevelopment(serving);
      else await serveHere(serving, (url) => log.info({ url }, "listening"));
      log.info("stopped");
    } finally {
      await closeStore(store, terminal, (reason) => endAtOnce(log, reason));
    }
  } finally {
    admin?.close();
    // An unread log would keep the process alive.
    setTimeout(() => process.exit(), lastLinesMs).unref();
  }
}

/** How long the last lines of the log may take. */
const lastLinesMs = 1_000;

async function serveDevelopment(serving: Serving): Promise<void> {
  const { terminal, config, store, stopSignal } = serving;
  const apiKey = await prepareDevelopment(store, developmentDirectory, terminal.now());
  await serveHere(serving, (url) => {
    const removeUrl = writeDevelopmentUrl(developmentDirectory, url, process.pid);
    void stopSignal.then(removeUrl); // before the port is free for others
    terminal.stdout.write(welcome(url, config, developmentDirectory, apiKey));
  });
}

async function serveHere(serving: Serving, started: (url: string) => void): Promise<void> {
  const { config, terminal, store, log, metrics, admin, stopSignal } = serving;
  const { limits, now, dev } = terminal;
  const app = createApp({ ...config, hasSignInLinks: dev, store, log, metrics, now, limits });
  const { host, port } = config;
  const opening = listen(app, {
    host,
    port,
    log,
    metrics,
    limits,
    maxConnections: maxConnections(),
  });
  const server = await opening.catch(explainFor("PETSTORE_PORT", config));
  const readiness = createReadiness(() => store.ping());
  admin?.serviceStarted({
    notReady: () => readiness.notReady(),
    metrics: () => metrics.registry.metrics(),
  });
  started(server.url);
  const unknown = unknownSettings(terminal.environment);
  if (unknown.length > 0) log.warn({ unknown }, "ignoring unknown settings");
  for (const setting of settingsOfServices(terminal.environment))
    log.warn({ setting }, serviceAdvice);

  const { drainMs, shutdownGraceMs: graceMs } = config;
  log.info({ signal: await stopSignal, drainMs, graceMs }, "stopping");
  readiness.end();
  server.drain();
  await sleep(drainMs);
  setTimeout(
    () => void endAtOnce(log, "the database did not close in time"),
    graceMs + limits.close,
  ).unref(); // no effect if it ends by itself
  await server.stop(graceMs);
}

/**
 * Ends the process even while a thread waits for a disk that hangs. `process.exit` would wait for
 * the thread.
 */
async function endAtOnce(log: Logger, reason: string): Promise<void> {
  log.fatal({ reason }, "ending with SIGKILL");
  await sleep(lastLinesMs / 10); // writes the log
  process.kill(process.pid, "SIGKILL");
}

/**
 * Fewer than the open-file limit: the database needs some files, and beyond the limit the system
 * drops connections silently.
 */
function maxConnections(): number {
  // it is slow. Node's types lack this setting
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files: { soft: number | string } };
  };
  const files = Number(userLimits?.open_files.soft ?? Infinity); // "unlimited", or undefined on Windows
  return Number.isNaN(files) ? 4_096 : Math.min(4_096, Math.max(files - 100, files >> 1));
}

function openAdmin(address: { host: string; port: number }): Promise<AdminServer> {
  const opening = listenForAdministration({ ...address, nodeVersion: process.versions.node });
  return opening.catch(explainFor("PETSTORE_ADMIN_PORT", address));
}

/** Explains why a port is not available. */
function explainFor(setting: string, { host, port }: { host: string; port: number }) {
  return ({ code, message }: NodeJS.ErrnoException): never => {
    const inUse = `Port ${port} of ${host} is in use. Set ${setting} to another port, or to 0 for any free port.`;
    const other = `Cannot listen on ${host} port ${port}: ${message}`;
    throw new CommandError(exitCodes.unavailable, code === "EADDRINUSE" ? inUse : other);
  };
}

async function openLog({ logLevel: level }: Config, { stdout, dev }: Terminal): Promise<Logger> {
  const destination = withoutWaiting(stdout);
  process.once("exit", destination.flush); // writes the last lines however the process ends
  if (dev) {
    const { prettyFactory } = await import("pino-pretty"); // loaded only in development
    const colorize = stdout.isTTY === true;
    const toText = prettyFactory({ colorize, translateTime: "HH:MM:ss", singleLine: true });
    return createLog({ level }, { write: (line) => destination.write(toText(line) ?? "") });
  }
  return createLog({ level }, destination);
}
