import { execFile } from "node:child_process";
import { mkdirSync, mkdtempDisposableSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startServer } from "@petstore/server/start-server";
import { afterAll, expect, test } from "vitest";
import { typeErrors } from "./type-errors.ts";

const clientDirectory = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(new URL("../docs/opentelemetry.md", import.meta.url), "utf8");

/** A project with the only block of the page, and with its packages. */
const project = mkdtempDisposableSync(join(tmpdir(), "petstore-opentelemetry-"));
afterAll(() => project.remove());
mkdirSync(join(project.path, "node_modules/@petstore"), { recursive: true });
symlinkSync(clientDirectory, join(project.path, "node_modules/@petstore/client"));
for (const name of ["@opentelemetry", "@types"]) {
  symlinkSync(join(clientDirectory, "node_modules", name), join(project.path, "node_modules", name));
}
writeFileSync(join(project.path, "package.json"), JSON.stringify({ type: "module" }));
writeFileSync(join(project.path, "recipe.ts"), /^```ts\n(.*?)^```$/ms.exec(page)?.[1] ?? "");

/** Sets up the SDK, makes a call that succeeds and one that fails, and prints the spans and the durations. */
const program = `
  import { context, metrics, trace } from "@opentelemetry/api";
  import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
  import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
  import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }));
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));

  const { client } = await import("./recipe.ts");
  await trace.getTracer("test").startActiveSpan("parent", async (parent) => {
    await client.createPet({ name: "Rex", categoryId: 7 });
    await client.listPets({ cursor: "forged" }).then(undefined, () => {});
    await client.listPets({}, { signal: AbortSignal.abort("gone") }).then(undefined, () => {});
    parent.end();
  });
  await reader.forceFlush();
  const points = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)).flatMap(({ descriptor, dataPoints }) =>
    dataPoints.map(({ attributes, value }) => ({ name: descriptor.name, unit: descriptor.unit, attributes, count: value.count, sum: value.sum })));
  const finished = spans.getFinishedSpans().map((span) => ({
    name: span.name, kind: span.kind, attributes: span.attributes, status: span.status, parent: span.parentSpanContext?.spanId, id: span.spanContext().spanId, duration: span.duration,
  }));
  console.log(JSON.stringify({ points, finished }));
  process.exit();`;

test("the recipe has no type errors", async () => {
  expect(await typeErrors(project.path, "recipe.ts")).toBe("");
});

test("the recipe records a span below that of the caller, and a duration, for each call", async () => {
  await using server = await startServer();
  writeFileSync(join(project.path, "program.js"), program);
  const env = { PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: server.apiKey };
  const { stdout } = await promisify(execFile)(process.execPath, ["program.js"], { cwd: project.path, env });
  const { points, finished } = JSON.parse(stdout) as {
    points: { sum: number }[];
    finished: { id: string; duration: number[] }[];
  };
  const parent = finished.at(-1)?.id;
  const client = { kind: 2, parent };
  expect(finished).toMatchObject([
    { ...client, name: "createPet", attributes: { "petstore.attempts": 1 }, status: { code: 0 } },
    {
      ...client,
      name: "listPets",
      attributes: { "petstore.attempts": 1, "error.type": "invalid_request" },
      status: { code: 2, message: expect.stringMatching(/^BadRequestError: listPets: .* \(400 invalid_request\)$/) },
    },
    {
      ...client,
      name: "listPets",
      attributes: { "petstore.attempts": 0, "error.type": "_OTHER" },
      status: { code: 2, message: "gone" },
    },
    { name: "parent" },
  ]);
  // The clock of spans may round to milliseconds.
  const [seconds = 0, nanoseconds = 0] = finished[0]?.duration ?? [];
  expect(seconds * 1000 + nanoseconds / 1e6).toBeGreaterThanOrEqual((points[0]?.sum ?? Infinity) - 1);
  const duration = { name: "petstore.client.duration", unit: "ms", count: 1, sum: expect.any(Number) };
  expect(points).toEqual([
    { ...duration, attributes: { operation: "createPet" } },
    { ...duration, attributes: { operation: "listPets", "error.type": "invalid_request" } },
    { ...duration, attributes: { operation: "listPets", "error.type": "_OTHER" } },
  ]);
});
