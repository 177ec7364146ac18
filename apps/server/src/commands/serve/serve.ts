import cluster from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "@petstore/service";
import type { Logger } from "pino";
import { createApp } from "../../api/app.ts";
import { developmentDirectory, readConfig, unknownSettings, type Config } from "../../config.ts";
import { Admission } from "../../http/admission.ts";
import { listen } from "../../http/listen.ts";
import { listenForAdministration, type AdminServer } from "../../monitoring/admin.ts";
import { createLog, isoTime, withoutWaiting } from "../../monitoring/log.ts";
import { createMetrics } from "../../monitoring/metrics.ts";
import { createReadiness } from "../../monitoring/readiness.ts";
import { openStore } from "../../store/open.ts";
import { CommandError, createDevelopmentDirectory, exitCodes, type Terminal } from "../command.ts";
import { prepareDevelopment, welcome, writeDevelopmentUrl } from "./development.ts";
import { nextStopSignal } from "./stop-signal.ts";
import { collectMetrics, respondToMetricsRequests } from "./worker-metrics.ts";
import { sendHeartbeats, startWorkers } from "./workers.ts";

/** The parts of a serving process. */
interface Serving {
  config: Config;
  terminal: Terminal;
  store: Store;
  log: Logger;
  admin: AdminServer | undefined;
  stopSignal: Promise<NodeJS.Signals>;
  /** Never resolves. @throws {DatabaseFileError} if the database turns out to be damaged while in use */
  damage: Promise<never>;
}

/** Serves until SIGTERM or SIGINT, in this process or in several workers. */
export async function serve(terminal: Terminal): Promise<void> {
  const { dev } = terminal;
  const config = readConfig(terminal.environment, dev);
  if (config.databaseUrl === "memory:" && !dev) {
    const message = "PETSTORE_DATABASE_URL is memory:, which has no API key: use it with --dev";
    throw new CommandError(exitCodes.configuration, message);
  }
  const stopSignal = nextStopSignal({ endsOnSecond: cluster.isPrimary }); // the first process ends its workers
  if (dev) createDevelopmentDirectory();
  const log = await openLog(config, terminal);
  const isSupervisor = config.workers > 1 && cluster.isPrimary;
  const admin = cluster.isPrimary && config.admin ? await openAdmin(config.admin) : undefined;
  const damage = Promise.withResolvers<never>();
  damage.promise.catch(() => {}); // it may reject before it is awaited
  try {
    const opening = openStore(config.databaseUrl, {
      poolSize: isSupervisor ? 1 : config.databasePoolSize,
      onCreated: (created) => {
        if (!dev)
          log.warn(
            { created },
            "the database was missing or empty and has been created: check its address and its volume",
          );
      },
      onDamaged: damage.reject,
      onUnchecked: (reason) => log.warn({ reason }, "the database file could not be checked for damage"),
      onIdleError: (error) => log.warn({ reason: error.message }, "a connection to the database broke"),
    });
    // Opening may wait for the migrations of another process, however long they take.
    const store = await Promise.race([opening, stopSignal.then(() => undefined)]);
    if (store === undefined) return;
    try {
      if (admin) log.info({ url: admin.url }, "admin port open");
      const serving: Serving = { config, terminal, store, log, admin, stopSignal, damage: damage.promise };
      if (dev) await serveDevelopment(serving);
      else if (isSupervisor) await superviseWorkers(serving);
      else await serveHere(serving, (url) => log.info({ url }, "listening"));
      log.info("stopped");
    } finally {
      await store.close();
    }
  } finally {
    admin?.close();
    if (cluster.isWorker) cluster.worker?.disconnect();
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
    const removeUrl = writeDevelopmentUrl(developmentDirectory, url, process);
    void stopSignal.then(removeUrl); // before the port is free for others
    terminal.stdout.write(welcome(url, config, developmentDirectory, apiKey));
  });
}

async function serveHere(serving: Serving, started: (url: string) => void): Promise<void> {
  const { config, terminal, store, log, admin, stopSignal, damage } = serving;
  const metrics = createMetrics(store);
  respondToMetricsRequests(metrics.registry);
  sendHeartbeats();
  const admission = new Admission({ isBusy: () => store.isBusy() });
  const app = createApp({ ...config, store, log, metrics, now: terminal.now, admission });
  const { host, port } = config;
  const opening = listen(app, { host, port, log, metrics, maxConnections: maxConnections() });
  const server = await opening.catch(explainFor("PETSTORE_PORT", config));
  const readiness = createReadiness(() => store.ping());
  admin?.serviceStarted({ notReady: () => readiness.notReady(), metrics: () => metrics.registry.metrics() });
  started(server.url);
  if (cluster.isPrimary) warnOfUnknownSettings(terminal, log);

  const { drainMs, shutdownGraceMs: graceMs } = config;
  try {
    log.info({ signal: await Promise.race([stopSignal, damage]), drainMs, graceMs }, "stopping");
  } catch (error) {
    log.fatal({ reason: (error as Error).message, drainMs, graceMs }, "stopping");
    throw error;
  } finally {
    readiness.end();
    server.drain();
    await sleep(drainMs);
    await server.stop(graceMs);
  }
}

/** Fewer than the open-file limit. The database needs some files, and beyond the limit connections are dropped silently. */
function maxConnections(): number {
  Object.assign(process.report, { excludeNetwork: true }); // it is slow. Node's types lack this setting
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files: { soft: number | string } } };
  const files = Number(userLimits?.open_files.soft ?? Infinity); // "unlimited", or undefined on Windows
  return Number.isNaN(files) ? 4_096 : Math.min(4_096, Math.max(files - 100, files >> 1));
}

async function superviseWorkers({ config, terminal, store, log, admin, stopSignal }: Serving): Promise<void> {
  const workers = startWorkers(config.workers, log);
  await Promise.race([workers.started, workers.failed, stopSignal]);
  const readiness = createReadiness(() => store.ping());
  admin?.serviceStarted({
    notReady: async () => (workers.listening.size === 0 ? "no worker accepts requests" : await readiness.notReady()),
    metrics: () => collectMetrics(workers.listening),
  });
  warnOfUnknownSettings(terminal, log);

  const { drainMs, shutdownGraceMs: graceMs } = config;
  const signal = await Promise.race([stopSignal, workers.failed]);
  log.info({ signal, drainMs, graceMs }, "stopping");
  readiness.end();
  await workers.stop(drainMs + graceMs + lastLinesMs);
}

function warnOfUnknownSettings({ environment }: Terminal, log: Logger): void {
  const unknown = unknownSettings(environment);
  if (unknown.length > 0) log.warn({ unknown }, "ignoring unknown settings");
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
  const log = createLog({ level, timestamp: isoTime }, destination);
  return cluster.worker ? log.child({ worker: cluster.worker.id }) : log;
}
