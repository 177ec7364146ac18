import { operations } from "@petstore/contract";
import { pathTemplate } from "@petstore/contract/contract";
import type { Store, StoreUnavailableError } from "@petstore/service";
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { version } from "../version.ts";

/** The outcome of a request, for the metrics. */
export interface RequestOutcome {
  method: string;
  /** The path template, if the request matched one. */
  route: string | undefined;
  /** The status of the response, if it was begun. */
  status: number | undefined;
  durationMs: number;
  /** The code of the Error body. */
  errorCode: string | undefined;
  /** Why the store failed. */
  storeFailure: StoreUnavailableError["reason"] | undefined;
  /** Whether an accepted caller used a deprecated operation. */
  isDeprecated: boolean;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** The boundaries that OpenTelemetry's semantic conventions recommend, in seconds. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Other methods share one label, so that callers cannot create labels. */
const knownMethods = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "CONNECT",
]);

const authenticationFailures = new Set([
  "missing_api_key",
  "invalid_api_key",
  "insufficient_scope",
]);

const storeFailures = ["rejected", "timeout", "connection"] as const;

/**
 * Redundant sums of metrics by type. Their names end in `_total`, which Prometheus reserves for
 * counters.
 */
const misnamedSums = ["handles", "requests", "resources"].map(
  (kind) => `nodejs_active_${kind}_total`,
);

/**
 * Creates the metrics, in their own registry. Uses the names of OpenTelemetry's semantic
 * conventions where they exist.
 */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of misnamedSums) registry.removeSingleMetric(name);

  const duration = new Histogram({
    name: "http_server_request_duration_seconds",
    help: "Duration of HTTP server requests.",
    labelNames: ["http_request_method", "http_route", "http_response_status_code"],
    buckets: durationBuckets,
    registers,
  });
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers });
  const buildInfo = gauge("petstore_build_info", "Always 1, with the version of the server.", [
    "version",
  ]);
  buildInfo.set({ version }, 1);
  let active = 0;
  const activeRequests: Gauge = new Gauge({
    name: "http_server_active_requests",
    help: "Requests in progress.",
    registers,
    collect: () => activeRequests.set(active),
  });
  const count = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name: `petstore_${name}_total`, help, labelNames, registers });
  const authFailures = count("auth_failures", "Requests rejected because of their API key.", [
    "code",
  ]);
  const storeErrors = count("store_errors", "Requests that the store could not serve.", ["reason"]);
  const shed = count(
    "requests_shed",
    "Requests rejected because the store had no room for them.",
    [],
  );
  const rateLimited = count(
    "requests_rate_limited",
    "Requests beyond the rate limit of their API key.",
    [],
  );
  const tooMany = "Connections closed or not accepted because there were too many.";
  const exhausted = count("connections_exhausted", tooMany, []);
  const deprecated = count("deprecated_requests", "Requests for a deprecated operation.", [
    "route",
  ]);
  const backgroundFailures = count(
    "background_failures",
    "Failures of work that fail no request.",
    ["task"],
  );
  // Starts counters at 0: Prometheus sees no increase in a counter that starts at 1.
  for (const code of authenticationFailures) authFailures.inc({ code }, 0);
  for (const reason of storeFailures) storeErrors.inc({ reason }, 0);
  for (const { path, metadata } of Object.values(operations))
    if (metadata.deprecation) deprecated.inc({ route: pathTemplate(path) }, 0);

  const commitMs = new Histogram({
    name: "petstore_commit_duration_seconds",
    help: "Duration of commits.",
    buckets: durationBuckets,
    registers,
  });
  const commitSize = new Histogram({
    name: "petstore_commit_batch_size",
    help: "Writes per commit: new and changed animals, and sometimes the last use of keys.",
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
    registers,
  });

  return {
    registry,
    backgroundFailures,
    committed(writes: number, ms: number): void {
      commitMs.observe(ms / 1000);
      commitSize.observe(writes);
    },
    /** Adds the metrics of a store. */
    measureStore(store: Store): void {
      measureConnections(store, registry);
      measureBackups(store, registry);
    },
    requestStarts: (): void => void active++,
    connectionsExhausted: (): void => exhausted.inc(),
    requestEnds({
      method,
      route = "",
      status,
      durationMs,
      errorCode = "",
      storeFailure,
      isDeprecated,
    }: RequestOutcome) {
      active--;
      const knownMethod = knownMethods.has(method) ? method : "_OTHER";
      const labels = {
        http_request_method: knownMethod,
        http_route: route,
        http_response_status_code: status ?? "",
      };
      duration.observe(labels, durationMs / 1000);
      if (authenticationFailures.has(errorCode)) authFailures.inc({ code: errorCode });
      if (errorCode === "rate_limited") rateLimited.inc();
      if (storeFailure === "busy") shed.inc();
      else if (storeFailure !== undefined) storeErrors.inc({ reason: storeFailure });
      if (isDeprecated) deprecated.inc({ route });
    },
  };
}

/** Measures when the last backup was made: 0 if never. */
function measureBackups(store: Store, registry: Registry): void {
  if (store.lastBackupAt === undefined) return;
  const gauge: Gauge = new Gauge({
    name: "petstore_last_backup_timestamp_seconds",
    help: "When petstore-server backup last succeeded, in seconds since 1970; 0 if never.",
    registers: [registry],
    async collect() {
      // a failure must not lose the other metrics
      const at = await store.lastBackupAt?.().catch(() => undefined);
      if (at !== undefined) gauge.set(at / 1000);
    },
  });
}

/** Measures the connection pool, if the store has one. */
function measureConnections(store: Store, registry: Registry): void {
  if (store.connections() === undefined) return;
  const gauge = (
    name: string,
    help: string,
    labelNames: string[],
    collect: (gauge: Gauge) => void,
  ) => {
    const created: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect: () => collect(created),
    });
  };
  const state = "db_client_connection_state";
  gauge(
    "db_client_connections",
    "Connections to the database, by state.",
    [state],
    (connections) => {
      for (const value of ["used", "idle"] as const)
        connections.set({ [state]: value }, store.connections()?.[value] ?? 0);
    },
  );
  gauge(
    "db_client_connection_max",
    "The maximum number of connections to the database.",
    [],
    (maximum) => maximum.set(store.connections()?.max ?? 0),
  );
  gauge(
    "db_client_connection_pending_requests",
    "Calls waiting for a connection to the database.",
    [],
    (pending) => pending.set(store.connections()?.waiting ?? 0),
  );
}
