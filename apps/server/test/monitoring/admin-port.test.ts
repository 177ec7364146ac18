import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { text as readAll } from "node:stream/consumers";
import { eventually } from "@petstore/test-kit/eventually";
import { occupyPort } from "@petstore/test-kit/free-port";
import { expectExit } from "@petstore/test-servers/processes";
import { describe, expect, onTestFinished } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { listenForAdministration, type AdminServer } from "../../src/monitoring/admin.ts";
import { test } from "../support/petstore.ts";
import { startRelay } from "../support/relay.ts";
import { issueKeyIn } from "../support/service-on-postgres.ts";

const anyPort = { PETSTORE_ADMIN_PORT: "0" };

const jsonType = "application/json; charset=utf-8";

const up = { notReady: async () => undefined, metrics: async () => "up 1\n" };

const pages = ["/livez", "/startupz", "/readyz", "/metrics", "/version"];

describe("the admin port", () => {
  test("503 starting until the service accepts requests, at /startupz and /readyz, and 200 afterwards", async () => {
    const admin = await startAdmin();
    const states = () => Promise.all(pages.slice(0, 4).map((page) => ask(admin, page)));
    const ok = { status: 200, text: '{"status":"ok"}\n' };
    const starting = { status: 503, text: '{"status":"starting"}\n' };
    expect(await states()).toEqual([ok, starting, starting, { status: 200, text: "" }]);
    admin.serviceStarted(up);
    expect(await states()).toEqual([ok, ok, ok, { status: 200, text: "up 1\n" }]);
  });

  test("200 for GET and HEAD of every page, with the same headers, whatever the query", async () => {
    const admin = await startAdmin();
    admin.serviceStarted(up);
    for (const page of pages) {
      const get = await fetch(`${admin.url}${page}?verbose`);
      const head = await fetch(admin.url + page, { method: "HEAD" });
      expect([get.status, head.status, await head.text()]).toEqual([200, 200, ""]);
      const text = await get.text();
      if (page === "/version")
        expect(JSON.parse(text)).toEqual({
          name: "petstore-server",
          version: packageJson.version,
          node: "1.2.3",
        });
      for (const { headers } of [get, head]) {
        expect(Object.fromEntries(headers)).toMatchObject({
          "content-length": String(Buffer.byteLength(text)),
          "content-type":
            page === "/metrics" ? "text/plain; version=0.0.4; charset=utf-8" : jsonType,
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
        });
      }
    }
  });

  test.for([
    [200, "127.0.0.1", "localhost:9090"],
    [200, "127.0.0.1", undefined],
    [421, "127.0.0.1", "rebound.example:9090"],
    [421, "127.0.0.1", "127.0.0.1.rebound.example"],
    [200, "0.0.0.0", "petstore-server.petstore.svc:9090"],
  ] as const)("%d on %s for the host %s", async ([expected, host, name]) => {
    const admin = await startAdmin(host);
    const { port } = new URL(admin.url);
    const sent = request({
      port,
      path: "/metrics",
      setHost: false,
      ...(name && { headers: { Host: name } }),
    }).end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(expected);
  });

  test.for([
    ["/readyz", '{"status":"ok"}\n'],
    ["/metrics", "up 1\n"],
  ] as const)(
    "200 for 100 callers of %s at once, who share one result, and then a new one",
    async ([page, text]) => {
      const admin = await startAdmin();
      let calls = 0;
      const result = Promise.withResolvers<void>();
      async function count<Result>(value: Result): Promise<Result> {
        calls++;
        await result.promise;
        return value;
      }
      admin.serviceStarted({ notReady: () => count(undefined), metrics: () => count("up 1\n") });
      let received = 0;
      const onRequest = () => void received++;
      subscribe("http.server.request.start", onRequest);
      onTestFinished(() => void unsubscribe("http.server.request.start", onRequest));
      const connected = Array.from({ length: 100 }, () => connectTo(admin));
      for (const { socket } of connected)
        socket.write(`GET ${page} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await eventually(() => received === 100);
      result.resolve();
      for (const { ended } of connected)
        expect((await ended).endsWith(`\r\n\r\n${text}`)).toBe(true);
      expect(calls).toBe(1);
      expect(await ask(admin, page)).toEqual({ status: 200, text });
      expect(calls).toBe(2);
    },
  );

  test("200 for the first request of a connection, which closes it, and none of 2,000 others in the same packet is served", async () => {
    const admin = await startAdmin();
    let calls = 0;
    admin.serviceStarted({
      ...up,
      metrics: async () => {
        calls++;
        return "up 1\n";
      },
    });
    const { socket, ended } = connectTo(admin);
    socket.write("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2_000));
    expect(await ended).toMatch(
      /^HTTP\/1\.1 200 OK\r\n[^]*\r\nConnection: close\r\n[^]*\r\n\r\nup 1\n$/,
    );
    expect(calls).toBe(1);
  });

  test.each(["/", "/livez/", "/v1/pets", "/__proto__"])(
    "404 for %s, with the pages that there are",
    async (page) => {
      const { status, text } = await ask(await startAdmin(), page);
      expect([status, JSON.parse(text)]).toEqual([
        404,
        { status: "not found", pages: expect.arrayContaining(pages) },
      ]);
    },
  );

  test.each(["POST", "OPTIONS"])("405 for %s, with Allow", async (method) => {
    const { url } = await startAdmin();
    const response = await fetch(`${url}/livez`, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect(await response.json()).toStrictEqual({ status: "method not allowed" });
  });
});

test("200 for every page on loopback, without a secret, and not on the port of the service", async ({
  petstore,
}) => {
  const key = await petstore.createKey();
  await using server = await petstore.serve(anyPort);
  expect((await server.call(`${key}x`, `/pets?cursor=${key}`)).status).toBe(401);
  for (const page of pages) {
    expect((await server.ask(page)).status).toBe(200);
    const onService = await fetch(new URL(page, server.url), {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(onService.status).toBe(404);
    expect(await onService.json()).toMatchObject({ code: "route_not_found" });
  }
  const { text } = await server.ask("/metrics");
  expect(text).toContain('petstore_auth_failures_total{code="invalid_api_key"} 1\n');
  expect(text).not.toContain("pst_");

  const { hostname, port } = new URL(await server.adminUrl());
  expect(hostname).toBe("127.0.0.1");
  for (const address of networkAddresses())
    await expect(fetch(`http://${address}:${port}/livez`)).rejects.toThrow("fetch failed");
});

test("503 at /readyz alone while the database does not respond, and 200 again", async ({
  petstore,
  database,
}) => {
  const address = new URL(database.url);
  const databasePort = Number(address.port);
  await using relay = await startRelay(() => databasePort);
  address.port = String(relay.port);
  const { secret } = await issueKeyIn(database.url);
  await using server = await petstore
    .withLimits({ call: 1_000, store: 1_500 })
    .on(address.href)
    .serve(anyPort);
  expect((await server.call(secret, "/pets")).status).toBe(200);

  relay.freeze();
  const away = { status: 503, text: '{"status":"the store does not respond"}\n' };
  await expect.poll(() => server.ask("/readyz")).toEqual(away);
  expect((await server.call(secret, "/pets")).status).toBe(503);
  for (const page of ["/livez", "/startupz", "/metrics"])
    expect((await server.ask(page)).status).toBe(200);

  relay.thaw();
  await expect.poll(() => server.ask("/readyz")).toMatchObject({ status: 200 });
  expect((await server.call(secret, "/pets")).status).toBe(200);
  await expectExit(0, server.stop());
});

test("503 stopping at /readyz after SIGTERM, while the service still responds", async ({
  petstore,
}) => {
  const key = await petstore.createKey();
  await using server = await petstore.serve({ ...anyPort, PETSTORE_DRAIN_MS: "600000" });
  server.kill("SIGTERM");
  await server.printed(/"msg":"stopping"/);
  expect(await server.ask("/readyz")).toEqual({ status: 503, text: '{"status":"stopping"}\n' });
  for (const page of ["/livez", "/startupz"]) expect((await server.ask(page)).status).toBe(200);
  const { status, headers } = await server.call(key, "/pets");
  expect([status, headers.get("connection")]).toEqual([200, "close"]);
});

test.for(["PETSTORE_PORT", "PETSTORE_ADMIN_PORT"])(
  "69 when the port of %s is in use",
  async (name, { petstore }) => {
    const { port, close } = await occupyPort();
    onTestFinished(close);
    await expectExit(69, petstore.start("serve", { [name]: String(port) }).ended, {
      stdout: /^/,
      stderr: `petstore-server: Port ${port} of 127.0.0.1 is in use. Set ${name} to another port, or to 0 for any free port.\n`,
    });
  },
);

async function startAdmin(host = "127.0.0.1"): Promise<AdminServer> {
  const admin = await listenForAdministration({ host, port: 0, nodeVersion: "1.2.3" });
  onTestFinished(() => admin.close());
  return admin;
}

/** A connection, and all that the server sends on it until it closes. */
function connectTo({ url }: AdminServer): { socket: Socket; ended: Promise<string> } {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  return { socket, ended: readAll(socket) };
}

async function ask({ url }: AdminServer, page: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url + page);
  return { status: response.status, text: await response.text() };
}

/** An address of this machine that others can reach. */
function networkAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all
    .filter(({ internal, family }) => !internal && family === "IPv4")
    .map(({ address }) => address);
}
