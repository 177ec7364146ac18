import { BlockList } from "node:net";
import { eventually } from "@petstore/test-kit/eventually";
import { expect } from "vitest";
import { toProxies } from "../../src/http/client-address.ts";
import { close, host, toRequest } from "../support/raw-request.ts";
import { testWithServer } from "../support/shared-server.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const here = "127.0.0.1";
const test = testWithServer({
  trustedProxies: toProxies([here, "10.0.0.0/8", "fe80::/10"]) ?? new BlockList(),
});

/** The log line of a request without a key, with these headers. */
async function lineOf(
  server: TestServer,
  ...headers: readonly string[]
): Promise<Record<string, unknown>> {
  const [response] = await server.send(
    toRequest("GET /v1/pets HTTP/1.1", [host, ...headers, close]),
  );
  const line = () =>
    server.logs.find(({ requestId }) => requestId === response?.headers["x-request-id"]);
  await eventually(() => line() !== undefined);
  expect(line()).toMatchObject({ msg: "request", status: 401, clientAddress: here });
  return line() ?? {};
}

test.for<[has: string, forwardedFor: string, forwardedAddress: string | undefined]>([
  ["has the address from the proxy", "192.0.2.1", "192.0.2.1"],
  ["ignores an address that the client put before it", "198.51.100.7, 192.0.2.1", "192.0.2.1"],
  ["has the last of two headers", "198.51.100.7\r\nX-Forwarded-For: 192.0.2.1", "192.0.2.1"],
  ["continues past a second proxy", "192.0.2.1, 10.1.2.3", "192.0.2.1"],
  ["continues past a proxy in another notation", "192.0.2.1, ::ffff:10.1.2.3", "192.0.2.1"],
  ["has the first proxy when there is no other", "10.1.2.3", "10.1.2.3"],
  ["stops at an invalid address", "192.0.2.1, unknown", undefined],
  ["stops at an address with a zone", "192.0.2.1, fe80::1%eth0", undefined],
  ["is not misled by a key", "pst_live_0123456789", undefined],
])(
  "401 with a log line that %s (X-Forwarded-For: %s)",
  async ([, forwardedFor, expected], { server }) => {
    const line = await lineOf(server, `X-Forwarded-For: ${forwardedFor}`);
    expect(line["forwardedAddress"]).toBe(expected);
  },
);

test("401 with a log line that ignores X-Forwarded-For from a client that is not a trusted proxy", async () => {
  await using server = await startServer();
  expect(await lineOf(server, "X-Forwarded-For: 192.0.2.1")).not.toHaveProperty("forwardedAddress");
});

test.for(["revoked", "expired"])(
  "401 with the id of a key that is %s in the log, but not in the metrics",
  async (state, { server }) => {
    const { id, secret } = await server.issueKey({
      createdAt: 0,
      ...(state === "expired" && { expiresAt: 1 }),
    });
    if (state === "revoked") await server.store.revokeKey(id, 1);
    expect((await server.call("/pets/1", { apiKey: secret })).status).toBe(401);
    await eventually(() => server.logs.some(({ keyId, status }) => keyId === id && status === 401));
    expect(await server.metrics.registry.metrics()).not.toContain(id);
  },
);

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentSpanId = "00f067aa0ba902b7";
const sampled = `00-${traceId}-${parentSpanId}-01`;
const trace = { traceId, parentSpanId };
const none = { traceId: undefined, parentSpanId: undefined };

test.for<[expected: typeof trace | typeof none, when: string, ...values: string[]]>([
  [trace, "version 00", sampled],
  [
    trace,
    "a later version with more fields",
    `cc-${traceId}-${parentSpanId}-01-what-the-future-brings`,
  ],
  [none, "nothing"],
  [none, "upper case", sampled.toUpperCase()],
  [none, "a trace id of zeros", `00-${"0".repeat(32)}-${parentSpanId}-01`],
  [none, "a span id of zeros", `00-${traceId}-${"0".repeat(16)}-01`],
  [none, "the forbidden version", `ff-${traceId}-${parentSpanId}-01`],
  [none, "more fields in version 00", `${sampled}-more`],
  [none, "two headers", sampled, sampled],
])(
  "401 with the trace %j in the log, given %s in Traceparent",
  async ([expected, , ...values], { server }) => {
    const line = await lineOf(server, ...values.map((value) => `Traceparent: ${value}`));
    expect({ traceId: line["traceId"], parentSpanId: line["parentSpanId"] }).toEqual(expected);
  },
);
