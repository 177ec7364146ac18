import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { startHttpServer } from "@petstore/test-kit/http-server";
import { createKey, serve, settings, temporaryDirectory } from "@petstore/test-servers/processes";
import { expect, test } from "vitest";

/** The part of OpenTelemetry's protocol that the tests read. */
interface Traces {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: { name: string; kind: number; traceId: string; parentSpanId?: string }[] }[];
  }[];
}

test("200 is a span of the caller's trace, which the recipe of the manual sends to a collector", async () => {
  const received: Traces[] = [];
  async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
    received.push((await json(req)) as Traces);
    res.setHeader("Content-Type", "application/json").end("{}");
  }
  await using collector = await startHttpServer((req, res) => void receive(req, res));

  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, "telemetry.mjs"), recipe("js", "// telemetry.mjs"));
  symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(directory.path, "node_modules"));
  const key = await createKey(directory.path);
  const variables = recipe("sh", "OTEL_SERVICE_NAME=").replace("http://collector:4318", collector.origin);
  await using server = await serve(directory.path, {
    environment: { ...settings, ...parseEnv(variables), NODE_OPTIONS: "--import ./telemetry.mjs" },
  });
  const [traceId, parentSpanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  const traceparent = `00-${traceId}-${parentSpanId}-01`;
  expect((await server.call(key, "/pets", undefined, { traceparent })).status).toBe(200);
  const { exitCode, stdout } = await server.stop();

  expect(exitCode).toBe(0);
  const sent = received.flatMap(({ resourceSpans }) => resourceSpans);
  const spans = sent.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  expect(spans).toContainEqual(expect.objectContaining({ kind: 2, traceId, parentSpanId })); // a span of a server
  const attributes = sent.flatMap(({ resource }) => resource.attributes);
  expect(attributes).toContainEqual({ key: "service.name", value: { stringValue: "petstore" } });
  expect(stdout).toContain(`"traceId":"${traceId}","parentSpanId":"${parentSpanId}"`);
});

/** The code block of the manual with this beginning. */
function recipe(language: string, beginning: string): string {
  const manual = readFileSync(new URL("../../../../docs/operations.md", import.meta.url), "utf8");
  const blocks = manual.split("```").filter((block) => block.startsWith(`${language}\n${beginning}`));
  if (blocks[0] === undefined) throw new Error(`The manual has no ${beginning}`);
  return blocks[0].slice(language.length + 1);
}
