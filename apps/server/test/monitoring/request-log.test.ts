import { eventually } from "@petstore/test-kit/eventually";
import { expect, test } from "vitest";
import { toProxies } from "../../src/http/client-address.ts";
import { close, host, toRequest } from "../support/raw-request.ts";
import { startServer } from "../support/start-server.ts";

/** The log line of a request without a key, with these headers. */
async function lineOf(proxies: readonly string[], ...headers: readonly string[]): Promise<Record<string, unknown>> {
  const trustedProxies = toProxies([...proxies]);
  await using server = await startServer(trustedProxies && { trustedProxies });
  await server.send(toRequest("GET /v1/pets HTTP/1.1", [host, ...headers, close]));
  await eventually(() => server.logs.length > 0);
  expect(server.logs[0]).toMatchObject({ msg: "request", status: 401 });
  return server.logs[0] ?? {};
}

const here = "127.0.0.1";

test.for<[has: string, proxies: string[], forwardedFor: string, forwardedAddress: string | undefined]>([
  ["does not believe a client that is no proxy", ["10.0.0.0/8"], "192.0.2.1", undefined],
  ["has the address from the proxy", [here], "192.0.2.1", "192.0.2.1"],
  ["has an IPv6 address", [here], "2001:db8::1", "2001:db8::1"],
  ["ignores an address that the client put before it", [here], "198.51.100.7, 192.0.2.1", "192.0.2.1"],
  ["has the last of two headers", [here], "198.51.100.7\r\nX-Forwarded-For: 192.0.2.1", "192.0.2.1"],
  ["continues past a second proxy", [here, "10.0.0.0/8"], "192.0.2.1, 10.1.2.3", "192.0.2.1"],
  ["continues past a proxy in another notation", [here, "10.0.0.0/8"], "192.0.2.1, ::ffff:10.1.2.3", "192.0.2.1"],
  ["has the first proxy when there is no other", [here, "10.0.0.0/8"], "10.1.2.3", "10.1.2.3"],
  ["stops at an invalid address", [here], "192.0.2.1, unknown", undefined],
  ["stops at an address with a zone", [here, "fe80::/10"], "192.0.2.1, fe80::1%eth0", undefined],
  ["is not misled by a key", [here], "pst_live_0123456789", undefined],
  ["is not misled by an empty header", [here], "", undefined],
])("401 with a log line that %s (proxies %j, X-Forwarded-For: %s)", async ([, proxies, forwardedFor, expected]) => {
  const line = await lineOf(proxies, `X-Forwarded-For: ${forwardedFor}`);
  expect(line["clientAddress"]).toBe(here);
  expect(line["forwardedAddress"]).toBe(expected);
});

test.for(["revoked", "expired"])(
  "401 with the id of a key that is %s in the log, but not in the metrics",
  async (state) => {
    await using server = await startServer();
    const { id, secret } = await server.issueKey({ createdAt: 0, ...(state === "expired" && { expiresAt: 1 }) });
    if (state === "revoked") await server.store.revokeKey(id, 1);
    expect((await server.call("/pets/1", { apiKey: secret })).status).toBe(401);
    await eventually(() => server.logs.length > 0);
    expect(server.logs[0]).toMatchObject({ status: 401, keyId: id });
    expect(await server.metrics.registry.metrics()).not.toContain(id);
  },
);

test("201 with the ids of the animal and of the key, even if it is replayed", async () => {
  await using server = await startServer();
  const call = { body: { name: "Rex", categoryId: 7 }, headers: { "Idempotency-Key": "once" } };
  for (const replayed of [null, "true"]) {
    expect((await server.call("/pets", call)).headers.get("Idempotent-Replayed")).toBe(replayed);
  }
  await eventually(() => server.logs.length === 2);
  const [key] = await server.store.listKeys();
  const line = { status: 201, petId: 1, keyId: key?.id };
  expect(server.logs).toMatchObject([line, line]);
});

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentSpanId = "00f067aa0ba902b7";
const sampled = `00-${traceId}-${parentSpanId}-01`;
const trace = { traceId, parentSpanId };
const none = { traceId: undefined, parentSpanId: undefined };

test.for<[expected: typeof trace | typeof none, when: string, ...values: string[]]>([
  [trace, "version 00", sampled],
  [trace, "a trace that is not sampled", `00-${traceId}-${parentSpanId}-00`],
  [trace, "flags that are not known yet", `00-${traceId}-${parentSpanId}-ff`],
  [trace, "spaces around it", `  ${sampled} `],
  [trace, "a later version", `01-${traceId}-${parentSpanId}-01`],
  [trace, "a later version with more fields", `cc-${traceId}-${parentSpanId}-01-what-the-future-brings`],
  [none, "nothing"],
  [none, "an empty header", ""],
  [none, "upper case", sampled.toUpperCase()],
  [none, "a trace id of zeros", `00-${"0".repeat(32)}-${parentSpanId}-01`],
  [none, "a span id of zeros", `00-${traceId}-${"0".repeat(16)}-01`],
  [none, "the forbidden version", `ff-${traceId}-${parentSpanId}-01`],
  [none, "a trace id that is too short", `00-${traceId.slice(1)}-${parentSpanId}-01`],
  [none, "a trace id that is too long", `00-0${traceId}-${parentSpanId}-01`],
  [none, "a span id that is too short", `00-${traceId}-${parentSpanId.slice(1)}-01`],
  [none, "a span id that is too long", `00-${traceId}-0${parentSpanId}-01`],
  [none, "no flags", `00-${traceId}-${parentSpanId}`],
  [none, "flags that are too long", `00-${traceId}-${parentSpanId}-011`],
  [none, "what is not hexadecimal", sampled.replace("4bf", "4bg")],
  [none, "more fields in version 00", `${sampled}-more`],
  [none, "a dash at the end of version 00", `${sampled}-`],
  [none, "a later version with more digits in its flags", `01-${traceId}-${parentSpanId}-01x`],
  [none, "two headers", sampled, sampled],
  [none, "two headers of a later version", `01-${traceId}-${parentSpanId}-01-a`, `01-${traceId}-${parentSpanId}-01-a`],
])("401 with the trace %j in the log, given %s in Traceparent", async ([expected, , ...values]) => {
  const line = await lineOf([], ...values.map((value) => `Traceparent: ${value}`));
  expect({ traceId: line["traceId"], parentSpanId: line["parentSpanId"] }).toEqual(expected);
});
