import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { patienceMs } from "@petstore/test-kit/eventually";
import { installedIn } from "@petstore/test-kit/programs";
import { describe, expect, onTestFinished } from "vitest";
import { test, type Petstore } from "../support/petstore.ts";
import { starts, type Change, type Proxy, type ProxyName } from "../support/proxies.ts";
import { openClient, type Client } from "../support/proxy-client.ts";
import { facts, kinds, names, type Kind } from "../support/proxy-facts.ts";
import { startUpstream } from "../support/upstream.ts";

const rex = '{"name":"Rex","categoryId":1}';

/** Some proxies read the rest of a body before they answer, if it is at most 256 KB. */
const [firstBytes, otherBytes] = [100_000, 300_000];

/** Where nothing is expected before the rest of the body, a test waits as long. */
const quietMs = 2_000;

/** How long a connection may be idle: the server closes it after 72 seconds. */
const idleMs = 60_000;

/** A second instead of the time of the page. */
const soon: Change = (text) =>
  text.replace(/(idle\w*[ =]|keep[\w-]*timeout[ =]|keepalive |ttl=|_out INT )60/, "$11");

function newClient(proxy: Proxy): Client {
  const client = openClient(proxy.origin);
  onTestFinished(() => client.close());
  return client;
}

/** The service, and the headers of a caller. */
async function serve(petstore: Petstore) {
  const key = await petstore.createKey("--scopes read,write,remove");
  const server = await petstore.serve({ PETSTORE_TRUSTED_PROXIES: "127.0.0.1" });
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  return { server, port: Number(new URL(server.url).port), headers };
}

function requestOf(kind: Kind): [method: string, headers: Record<string, string>, body?: string] {
  const [method = ""] = kind.split(" ");
  const headers = {
    Authorization: "Bearer key",
    ...(kind.endsWith("key") && { "Idempotency-Key": "once" }),
  };
  return method === "POST" ? [method, headers, rex] : [method, headers];
}

const cases = names.flatMap((name) =>
  installedIn(facts[name].version, facts[name].program).map((program) => ({
    ...facts[name],
    name,
    program,
    start: starts[name],
  })),
);

describe.each(cases)("behind $name", ({ program, start, ...expected }) => {
  test("200, 201 and 204 with the headers and bodies of the server", async ({ petstore }) => {
    const { server, port, headers } = await serve(petstore);
    await using proxy = await start(program, port);
    const client = newClient(proxy);
    const call = async (
      method: string,
      path: string,
      more?: Record<string, string>,
      body?: string,
    ) => client.send(method, `/v1${path}`, { ...headers, ...more }, body);

    const sent = { "Idempotency-Key": "once", "X-Request-Id": "first" };
    const created = await call("POST", "/pets", sent, rex);
    const own = {
      location: "pets/1",
      "x-request-id": "first",
      "content-length": String(created.body.length),
    };
    expect(created).toMatchObject({ status: 201, headers: own });
    const again = await call("POST", "/pets", { ...sent, "X-Request-Id": "second" }, rex);
    const replayed = { ...own, "x-request-id": "second", "idempotent-replayed": "true" };
    expect(again).toMatchObject({ status: 201, headers: replayed, body: created.body });
    await call("POST", "/pets", {}, rex);

    const list = await call("GET", "/pets?limit=1");
    const length = String(list.body.length);
    const ofList = { "content-length": length, "cache-control": "no-store" };
    const next = expect.stringMatching(/^<\?cursor=[\w-]+&limit=1>; rel="next"$/);
    expect(list).toMatchObject({
      status: 200,
      body: `[${created.body}]`,
      headers: { ...ofList, link: next },
    });
    const head = await call("HEAD", "/pets?limit=1");
    expect(head).toMatchObject({
      status: 200,
      body: "",
      headers: { ...ofList, link: list.headers["link"] },
    });

    const patched = await call("PATCH", "/pets/1", {}, '{"status":"sold"}');
    expect(patched).toMatchObject({ status: 200, body: created.body.replace("available", "sold") });
    expect((await call("GET", "/pets?limit=1")).body).toBe(`[${patched.body}]`);
    const removed = await call("DELETE", "/pets/1", { "X-Request-Id": "third" });
    expect(removed).toMatchObject({ status: 204, body: "", headers: { "x-request-id": "third" } });
    expect(removed.headers).not.toHaveProperty("content-length");
    expect((await call("GET", "/pets/1")).status).toBe(404);
    expect((await client.send("GET", "/v1/pets", {})).status).toBe(401);
    expect(server.stdout()).toContain(`"forwardedAddress":"${client.address}"`);
  });

  test("200 just below the limits, and 413, 414 and 431 by the server above them", async ({
    petstore,
  }) => {
    const { port, headers } = await serve(petstore);
    await using proxy = await start(program, port);
    const codeOf = async (method: string, path: string, more = {}, body?: string) => {
      const response = await newClient(proxy).send(
        method,
        `/v1${path}`,
        { ...headers, ...more },
        body,
      );
      return response.status === 200 ? 200 : (JSON.parse(response.body) as { code: string }).code;
    };
    expect(await codeOf("GET", "/pets", { "X-Long": "x".repeat(16_000) })).toBe(200);
    expect(await codeOf("GET", "/pets", { "X-Long": "x".repeat(20_000) })).toBe(
      "headers_too_large",
    );
    expect(await codeOf("GET", `/pets?limit=${"1".repeat(5_000)}`)).toBe("uri_too_long");
    expect(await codeOf("POST", "/pet-batches", {}, " ".repeat(410_000))).toBe("body_too_large");
  });

  describe.each(["fresh", "kept"] as const)("on a %s connection", (age) => {
    test.for(kinds)(
      `${expected.closed[age]} for %s when the server closes without an answer`,
      async (kind) => {
        await using upstream = await startUpstream();
        await using proxy = await start(program, upstream.port);
        const client = newClient(proxy);
        const [method, headers, body] = requestOf(kind);
        if (age === "kept")
          expect(await client.send("GET", "/answers", headers)).toMatchObject({ status: 200 });
        const before = upstream.arrivals.length;
        const answer = client.send(method, "/closes", headers, body).then(
          ({ status }) => status,
          () => "no answer",
        );
        expect(await answer).toBe(expected.closed[age]);
        const attempts = upstream.arrivals.slice(before);
        expect(attempts).toHaveLength(expected.repeated[age][kind] ?? 1);
        if (kind === "GET")
          expect(attempts[0]?.isKept).toBe(age === "kept" && expected.keepsConnections);
      },
    );
  });

  test(`${expected.late413} ${expected.is413Early ? "before" : "after"} the rest of the body is sent`, async ({
    petstore,
  }) => {
    const { port, headers } = await serve(petstore);
    await using proxy = await start(program, port);
    const length = String(firstBytes + otherBytes);
    const upload = newClient(proxy).open("POST", "/v1/pets", {
      ...headers,
      "Content-Length": length,
    });
    upload.write(" ".repeat(firstBytes));
    const inTime = sleep(expected.is413Early ? patienceMs : quietMs, "nothing");
    const first = await Promise.race([upload.answer, inTime]);
    if (first === "nothing") upload.write(" ".repeat(otherBytes));
    expect(await upload.answer).toMatchObject({ status: expected.late413 });
    expect(first !== "nothing").toBe(expected.is413Early);
  });

  test(`200 for a chunked body, which arrives ${expected.chunkedAs}`, async () => {
    await using upstream = await startUpstream();
    await using proxy = await start(program, upstream.port);
    const upload = newClient(proxy).open("POST", "/answers", { "Transfer-Encoding": "chunked" });
    upload.write("{");
    upload.end("}");
    expect(await upload.answer).toMatchObject({ status: 200 });
    const { "transfer-encoding": coding, "content-length": length } =
      upstream.arrivals[0]?.headers ?? {};
    const whole = expected.chunkedAs === "chunked" ? ["chunked", undefined] : [undefined, "2"];
    expect([coding, length]).toEqual(whole);
  });

  test("it closes an idle connection to the server, or at least uses it no more", async () => {
    await using upstream = await startUpstream();
    await using proxy = await start(program, upstream.port, soon);
    const client = newClient(proxy);
    expect(await client.send("GET", "/answers", {})).toMatchObject({ status: 200 });
    if (expected.closesIdle)
      await expect.poll(() => upstream.openCount(), { timeout: idleMs }).toBe(0);
    else await sleep(quietMs);
    expect(await client.send("GET", "/answers", {})).toMatchObject({ status: 200 });
    expect(upstream.arrivals.map(({ isKept }) => isKept)).toEqual([false, false]);
  });

  test(`${expected.stopped} while the server is not running, and 200 again once it is back`, async ({
    petstore,
  }) => {
    const { server, port, headers } = await serve(petstore);
    await using proxy = await start(program, port);
    const statusOf = async () => (await newClient(proxy).send("GET", "/v1/pets", headers)).status;
    expect(await statusOf()).toBe(200);
    await server.stop();
    expect(await statusOf()).toBe(expected.stopped);
    await petstore.serve({ PETSTORE_PORT: String(port) });
    if (expected.isBackAtOnce) expect(await statusOf()).toBe(200);
    else await expect.poll(statusOf, { timeout: idleMs }).toBe(200);
  });
});

/**
 * Lines of the page that a proxy needs, changed to what it does by default, and what a caller then
 * gets.
 */
const needed: {
  name: ProxyName;
  without: string;
  change: Change;
  status: number;
  send: Parameters<Client["send"]>;
}[] = [
  {
    name: "Squid",
    without: "login=PASSTHRU",
    change: (text) => text.replace(" login=PASSTHRU", ""),
    status: 401,
    send: ["GET", "/v1/pets", {}],
  },
  {
    name: "Traffic Server",
    without: "our ip_allow.yaml",
    change: (text) =>
      text.startsWith("ip_allow:")
        ? readFileSync("/etc/trafficserver/ip_allow.yaml", "utf8")
        : text,
    status: 403,
    send: ["DELETE", "/v1/pets/1", {}],
  },
  ...(
    [
      ["HAProxy", /tune.bufsize .*/, 400],
      ["Apache", /LimitRequestFieldSize .*/, 400],
      ["Varnish", / -p http_req_hdr_len=\d+/, 400],
      ["lighttpd", /server.max-request-field-size .*/, 431],
    ] as const
  ).map(([name, line, status]) => ({
    name,
    without: line.source.replaceAll(/^ -p | [.=].*|=.*/g, ""),
    change: (text: string) => text.replace(line, ""),
    status,
    send: ["GET", "/v1/pets", { "X-Long": "x".repeat(16_000) }] as Parameters<Client["send"]>,
  })),
];

describe.each(
  needed.flatMap((need) => {
    const { version, program } = facts[need.name];
    return installedIn(version, program).map((file) => ({ ...need, program: file }));
  }),
)(
  "behind $name without $without",
  ({ name, program, change, status, send: [method, path, more] }) => {
    test(`${status}, although the request is right`, async ({ petstore }) => {
      const { port, headers } = await serve(petstore);
      await using proxy = await starts[name](program, port, change);
      expect((await newClient(proxy).send(method, path, { ...headers, ...more })).status).toBe(
        status,
      );
    });
  },
);
