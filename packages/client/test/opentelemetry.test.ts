import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createProject, runNode, typeErrors } from "./processes.ts";
import { startFakeServer } from "./scripted-server.ts";

const page = readFileSync(new URL("../docs/opentelemetry.md", import.meta.url), "utf8");

/** A project with the only block of the page, and with its packages. */
const project = createProject("@opentelemetry", "@types");
afterAll(() => project.remove());
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
    name: span.name, kind: span.kind, attributes: span.attributes, status: span.status, parent: span.parentSpanContext?.spanId, id: span.spanContext().spanId,
  }));
  console.log(JSON.stringify({ points, finished }));
  process.exit();`;

test("the recipe has no type errors", async () => {
  expect(await typeErrors(project.path, "recipe.ts")).toBe("");
});

test("the recipe records a span below that of the caller, and a duration, for each call", async () => {
  await using server = await startFakeServer();
  writeFileSync(join(project.path, "program.js"), program);
  const { stdout } = await runNode(["program.js"], server.environment, project.path);
  const { points, finished } = JSON.parse(stdout) as { points: object[]; finished: { id: string }[] };
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
  const duration = { name: "petstore.client.duration", unit: "ms", count: 1, sum: expect.any(Number) };
  expect(points).toEqual([
    { ...duration, attributes: { operation: "createPet" } },
    { ...duration, attributes: { operation: "listPets", "error.type": "invalid_request" } },
    { ...duration, attributes: { operation: "listPets", "error.type": "_OTHER" } },
  ]);
});
