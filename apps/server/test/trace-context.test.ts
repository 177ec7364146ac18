import { expect, test } from "vitest";
import { eventually, startServer } from "./start-server.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentSpanId = "00f067aa0ba902b7";
const sampled = `00-${traceId}-${parentSpanId}-01`;

/** The line that the log has for a request with these headers, as they stand on the wire. */
async function logLine(...headers: string[]): Promise<Record<string, unknown> | undefined> {
  await using server = await startServer();
  const lines = ["GET /v1/openapi.json HTTP/1.1", "Host: petstore.example", "Connection: close", ...headers];
  expect(await server.raw(`${lines.join("\r\n")}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  await eventually(() => server.logs.length === 1);
  return server.logs[0];
}

test.each([
  ["version 00", sampled],
  ["a trace that is not sampled", `00-${traceId}-${parentSpanId}-00`],
  ["flags that are not known yet", `00-${traceId}-${parentSpanId}-ff`],
  ["spaces around it", `  ${sampled} `],
  ["a later version", `01-${traceId}-${parentSpanId}-01`],
  ["a later version with more fields", `cc-${traceId}-${parentSpanId}-01-what-the-future-brings`],
])("the trace and the parent span are logged for %s", async (_case, value) => {
  expect(await logLine(`Traceparent: ${value}`)).toMatchObject({ status: 200, traceId, parentSpanId });
});

test.each([
  ["nothing", []],
  ["an empty header", [""]],
  ["upper case", [sampled.toUpperCase()]],
  ["a trace id of zeros", [`00-${"0".repeat(32)}-${parentSpanId}-01`]],
  ["a span id of zeros", [`00-${traceId}-${"0".repeat(16)}-01`]],
  ["the forbidden version", [`ff-${traceId}-${parentSpanId}-01`]],
  ["a trace id that is too short", [`00-${traceId.slice(1)}-${parentSpanId}-01`]],
  ["a trace id that is too long", [`00-0${traceId}-${parentSpanId}-01`]],
  ["a span id that is too short", [`00-${traceId}-${parentSpanId.slice(1)}-01`]],
  ["a span id that is too long", [`00-${traceId}-0${parentSpanId}-01`]],
  ["no flags", [`00-${traceId}-${parentSpanId}`]],
  ["flags that are too long", [`00-${traceId}-${parentSpanId}-011`]],
  ["what is not hexadecimal", [sampled.replace("4bf", "4bg")]],
  ["more fields in version 00", [`${sampled}-more`]],
  ["a dash at the end of version 00", [`${sampled}-`]],
  ["a later version with more digits in its flags", [`01-${traceId}-${parentSpanId}-01x`]],
  ["two headers", [sampled, sampled]],
  ["two headers of a later version", [`01-${traceId}-${parentSpanId}-01-a`, `01-${traceId}-${parentSpanId}-01-a`]],
])("no trace is logged for %s", async (_case, values) => {
  const line = await logLine(...values.map((value) => `traceparent: ${value}`));
  expect(line).toMatchObject({ status: 200 });
  expect(line).not.toHaveProperty("traceId");
  expect(line).not.toHaveProperty("parentSpanId");
});
