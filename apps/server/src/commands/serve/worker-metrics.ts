import cluster, { type Worker } from "node:cluster";
import { on } from "node:events";
import { AggregatorRegistry, type Registry } from "prom-client";

/** The message that asks a worker for its metrics, and that the worker returns with them. */
interface MetricsMessage {
  metricsRequestId: number;
  metrics?: object[];
}

/** Longer than a worker is ever blocked, and far shorter than Prometheus's default timeout. */
const responseMs = 2_000;

let lastRequestId = 0;

/** The metrics of all workers. Leaves out workers that end meanwhile or do not respond, with their series. */
export function collectMetrics(workers: Iterable<Worker>): Promise<string> {
  collecting ??= askWorkers(workers).finally(() => (collecting = undefined));
  return collecting;
}

/** Shared by callers that ask at the same time. */
let collecting: Promise<string> | undefined;

async function askWorkers(workers: Iterable<Worker>): Promise<string> {
  const results = await Promise.all([...workers].map(askWorker));
  return await AggregatorRegistry.aggregate(results.filter((metrics) => metrics !== undefined)).metrics();
}

/** Sends this worker's metrics to the supervisor on request. Does nothing in a process without one. */
export function respondToMetricsRequests(registry: Registry): void {
  const { worker } = cluster;
  // A series per worker: a sum would fall when a worker ends, and Prometheus would take that for a reset of all counters.
  if (worker) registry.setDefaultLabels({ worker: String(worker.id) });
  worker?.on("message", async ({ metricsRequestId }: Partial<MetricsMessage>) => {
    if (metricsRequestId === undefined) return;
    try {
      const metrics = await registry.getMetricsAsJSON();
      if (worker.isConnected()) worker.send({ metricsRequestId, metrics } satisfies MetricsMessage, () => {}); // the supervisor may be gone
    } catch {
      // Without a response, the supervisor leaves this worker out.
    }
  });
}

async function askWorker(worker: Worker): Promise<object[] | undefined> {
  if (!worker.isConnected()) return undefined;
  const metricsRequestId = ++lastRequestId;
  const messages = on(worker, "message", { signal: AbortSignal.timeout(responseMs), close: ["disconnect"] });
  worker.send({ metricsRequestId } satisfies MetricsMessage, (error) => void (error && messages.return?.()));
  try {
    for await (const [message] of messages as AsyncIterable<[MetricsMessage]>) {
      if (message.metricsRequestId === metricsRequestId) return message.metrics;
    }
  } catch {
    // The response came too late.
  }
  return undefined;
}
