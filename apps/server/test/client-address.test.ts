import { expect, test } from "vitest";
import { hashSecret, issueKey } from "../src/api-key.ts";
import { toProxies } from "../src/http/client-address.ts";
import { exchange } from "./raw-connection.ts";
import { eventually, startServer, type StartOptions } from "./start-server.ts";

/** The line that the log has of a request with these header lines. */
async function lineOf(proxies: string[], ...headers: string[]): Promise<Record<string, unknown>> {
  const trustedProxies = toProxies(proxies);
  await using server = await startServer({ ...(trustedProxies && { trustedProxies }) } satisfies StartOptions);
  const lines = ["GET /v1/pets HTTP/1.1", "Host: petstore", ...headers, "Connection: close", "", ""];
  await exchange(server.port, lines.join("\r\n"));
  await eventually(() => server.logs.length > 0);
  return server.logs[0] ?? {};
}

const here = "127.0.0.1";

test.each<[does: string, proxies: string[], forwardedFor: string, forwardedAddress: string | undefined]>([
  ["does not believe a client that is no proxy", ["10.0.0.0/8"], "192.0.2.1", undefined],
  ["has what the proxy says", [here], "192.0.2.1", "192.0.2.1"],
  ["has an IPv6 address", [here], "2001:db8::1", "2001:db8::1"],
  ["does not believe what the client has put before it", [here], "198.51.100.7, 192.0.2.1", "192.0.2.1"],
  ["goes on behind a second proxy", [here, "10.0.0.0/8"], "192.0.2.1, 10.1.2.3", "192.0.2.1"],
  ["goes on behind a proxy in another notation", [here, "10.0.0.0/8"], "192.0.2.1, ::ffff:10.1.2.3", "192.0.2.1"],
  ["has the first proxy when there is no other", [here, "10.0.0.0/8"], "10.1.2.3", "10.1.2.3"],
  ["stops at what is no address", [here], "192.0.2.1, unknown", undefined],
  ["stops at an address with a zone", [here, "fe80::/10"], "192.0.2.1, fe80::1%eth0", undefined],
  ["is not misled by a key", [here], "pst_live_0123456789", undefined],
  ["is not misled by an empty header", [here], "", undefined],
])("401 with a log line that %s (proxies %j, X-Forwarded-For: %s)", async (_does, proxies, forwardedFor, expected) => {
  const line = await lineOf(proxies, `X-Forwarded-For: ${forwardedFor}`);
  expect(line).toMatchObject({ status: 401, clientAddress: here });
  expect(line["forwardedAddress"]).toBe(expected);
});

test("401 with the address in the last of two X-Forwarded-For headers", async () => {
  const line = await lineOf([here], "X-Forwarded-For: 198.51.100.7", "X-Forwarded-For: 192.0.2.1");
  expect(line["forwardedAddress"]).toBe("192.0.2.1");
});

test("400 with the address of the connection for what is no HTTP", async () => {
  await using server = await startServer();
  await exchange(server.port, "GARBAGE\r\n\r\n");
  await eventually(() => server.logs.length > 0);
  expect(server.logs[0]).toMatchObject({ msg: "request refused", status: 400, clientAddress: here });
});

test.each(["revoked", "expired"])("401 with the id of a key that is %s in the log, and in no metric", async (state) => {
  await using server = await startServer();
  const expiresAt = state === "expired" ? 1 : undefined;
  const { key, secret } = issueKey({ name: state, kind: "live", scopes: ["read"], createdAt: 0, expiresAt });
  await server.store.createKey(key, hashSecret(secret));
  if (state === "revoked") await server.store.revokeKey(key.id, 1);
  expect((await server.call("/pets/1", { apiKey: secret })).status).toBe(401);
  await eventually(() => server.logs.length > 0);
  expect(server.logs[0]).toMatchObject({ status: 401, keyId: key.id });
  expect(await server.metrics.registry.metrics()).not.toContain(key.id);
});

test("201 with the id of the animal beside that of the key, also when it is replayed", async () => {
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
