import cluster, { type Worker } from "node:cluster";
import { AggregatorRegistry, type Registry } from "prom-client";

/** Sent to a worker to ask what it has counted, and back with that. */
interface Question {
  metricsQuestion: number;
}

interface Answer extends Question {
  metrics: object[];
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
      if (worker.isConnected()) worker.send({ metricsQuestion, metrics } satisfies Answer, () => {}); // it may have gone
    } catch {
      // Without a response the first process leaves this worker out.
    }
  });
}

function askWorker(worker: Worker): Promise<object[] | undefined> {
  const metricsQuestion = ++lastQuestion;
  return new Promise((resolve) => {
    const timer = setTimeout(leaveOut, answerMs);
    function forget(): void {
      clearTimeout(timer);
      worker.off("message", hear);
      worker.off("disconnect", leaveOut);
    }
    function hear(message: Answer): void {
      if (message.metricsQuestion !== metricsQuestion) return;
      forget();
      resolve(message.metrics);
    }
    function leaveOut(): void {
      forget();
      resolve(undefined);
    }
    worker.on("message", hear);
    worker.on("disconnect", leaveOut);
    if (!worker.isConnected()) return leaveOut();
    worker.send({ metricsQuestion } satisfies Question, (error) => void (error && leaveOut()));
  });
}
