import { pino, type Logger } from "pino";
import { PinoPretty as prettyStream } from "pino-pretty";
import { createApp } from "../app.ts";
import { developmentDirectory, readConfig, unknownSettings, type Config } from "../config.ts";
import { createLog, withoutWaiting } from "../log.ts";
import { listen, type RunningServer } from "../server.ts";
import { openStore } from "../store/open.ts";
import { CommandError, exitCodes, type CommandOptions, type Terminal } from "./command.ts";
import { createDirectory, developmentKeyFile, prepareDevelopment, writeDevelopmentUrl } from "./development.ts";

/** Serves until SIGTERM or SIGINT. */
export async function serve(terminal: Terminal, { dev = false }: CommandOptions): Promise<void> {
  const config = readConfig(terminal.environment, dev);
  if (config.databaseUrl === "memory:" && !dev) {
    throw new CommandError(
      exitCodes.configuration,
      "PETSTORE_DATABASE_URL is memory:, which holds no API key: use it with --dev",
    );
  }
  const stopped = nextStopSignal();
  if (dev) createDirectory(developmentDirectory);
  const store = await openStore(config.databaseUrl);
  try {
    const apiKey = dev ? await prepareDevelopment(store, developmentDirectory, terminal.now()) : undefined;
    const log = openLog(config, terminal, dev);
    const server = await start(createApp({ ...config, store, log, now: terminal.now }), config, log);
    if (apiKey === undefined) log.info({ url: server.url }, "listening");
    else {
      writeDevelopmentUrl(developmentDirectory, server.url);
      terminal.stdout.write(welcome(server.url, config.databaseUrl, apiKey));
    }
    const unknown = unknownSettings(terminal.environment);
    if (unknown.length > 0) log.warn({ unknown }, "settings that do not exist are ignored");

    log.info({ signal: await stopped, graceMs: config.shutdownGraceMs }, "stopping");
    await server.stop(config.shutdownGraceMs);
    log.info("stopped");
  } finally {
    await store.close();
    // A log that nobody reads would keep the process alive.
    setTimeout(() => process.exit(), lastLinesMs).unref();
  }
}

/** How long the last lines of the log may take. */
const lastLinesMs = 1_000;

async function start(app: Parameters<typeof listen>[0], { host, port }: Config, log: Logger): Promise<RunningServer> {
  try {
    return await listen(app, { host, port, log });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(
      exitCodes.unavailable,
      code === "EADDRINUSE"
        ? `Port ${port} of ${host} is in use. Set PETSTORE_PORT to another one, or to 0 for any free one.`
        : `Cannot listen on ${host} port ${port}: ${message}`,
    );
  }
}

function openLog({ logLevel: level }: Config, { stdout }: Terminal, isDevelopment: boolean): Logger {
  const output = withoutWaiting(stdout);
  if (!isDevelopment) return createLog({ level, timestamp: pino.stdTimeFunctions.isoTime }, output);
  const colorize = stdout.isTTY === true;
  return createLog(
    { level },
    prettyStream({ colorize, destination: output, translateTime: "HH:MM:ss", singleLine: true }),
  );
}

/**
 * The first signal to stop. A second one ends the process at once, unless it comes so soon that it is the same: a package
 * manager hands on the Ctrl-C that the terminal has sent to the whole group already.
 */
function nextStopSignal(): Promise<NodeJS.Signals> {
  const sameWithinMs = 500;
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    for (const [signal, exitCode] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const) {
      process.on(signal, () => {
        if (firstAt !== undefined && performance.now() - firstAt > sameWithinMs) process.exit(exitCode);
        firstAt ??= performance.now();
        resolve(signal);
      });
    }
  });
}

function welcome(url: string, databaseUrl: string, apiKey: string): string {
  return `
Petstore is running, with its data in ${databaseUrl}.

  Base address  ${url}
  API key       ${apiKey}  (also in ${developmentKeyFile(developmentDirectory)})

Try it:

  curl -H "Authorization: Bearer ${apiKey}" "${url}/pets?limit=3"
  npx pnpm@12 petstore pets list

Stop with Ctrl-C.

`;
}
