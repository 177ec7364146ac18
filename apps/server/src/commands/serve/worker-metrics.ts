import cluster, { type Worker } from "node:cluster";
import { on } from "node:events";
import { AggregatorRegistry, type Registry } from "prom-client";

/** Sent to a worker to ask what it has counted, and back with that. */
interface Question {
  metricsQuestion: number;
  metrics?: object[];
}

/** Above what a worker is busy for at a time, far below what Prometheus waits for by default. */
const answerMs = 2_000;

let lastQuestion = 0;

/** What each of the workers has counted. One that ends meanwhile or does not respond is left out, with its series. */
export function collectMetrics(workers: Iterable<Worker>): Promise<string> {
  collecting ??= askWorkers(workers).finally(() => (collecting = undefined));
  return collecting;
}

/** Who asks while the workers are being asked gets the same answer. */
let collecting: Promise<string> | undefined;

async function askWorkers(workers: Iterable<Worker>): Promise<string> {
  const answers = await Promise.all([...workers].map(askWorker));
  return await AggregatorRegistry.aggregate(answers.filter((metrics) => metrics !== undefined)).metrics();
}

/** Answers the first process when it asks. Does nothing in one that serves alone. */
export function answerForMetrics(registry: Registry): void {
  const { worker } = cluster;
  // A series for each: a sum would fall when a worker ends, and Prometheus would count all the others have counted once more.
  if (worker) registry.setDefaultLabels({ worker: String(worker.id) });
  worker?.on("message", async ({ metricsQuestion }: Partial<Question>) => {
    if (metricsQuestion === undefined) return;
    try {
      const metrics = await registry.getMetricsAsJSON();
      if (worker.isConnected()) worker.send({ metricsQuestion, metrics } satisfies Question, () => {}); // it may have gone
    } catch {
      // Without a response the first process leaves this worker out.
    }
  });
}

async function askWorker(worker: Worker): Promise<object[] | undefined> {
  if (!worker.isConnected()) return undefined;
  const metricsQuestion = ++lastQuestion;
  const messages = on(worker, "message", { signal: AbortSignal.timeout(answerMs), close: ["disconnect"] });
  worker.send({ metricsQuestion } satisfies Question, (error) => void (error && messages.return?.()));
  try {
    for await (const [message] of messages as AsyncIterable<[Question]>) {
      if (message.metricsQuestion === metricsQuestion) return message.metrics;
    }
  } catch {
    // Too late.
  }
  return undefined;
}
