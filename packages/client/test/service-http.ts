import { describe, expect, test } from "vitest";
import { call, expectError, somePets, type StartService } from "./service.ts";

const pet = { name: "Rex", categoryId: 7 };

/** What the service must do when it is asked for one animal. */
export function describeOne(start: StartService): void {
  const notFound = [404, "pet_not_found", "There is no animal with this id."] as const;

  test.each([0, 7, -7, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n])("200 for %s", async (id) => {
    await using service = await start({ pets: [{ id, ...pet }, { id: 8, ...pet }] }); // prettier-ignore
    for (const path of [`${id}`, `${id}?id=8`, `%${`${id}`.charCodeAt(0).toString(16)}${`${id}`.slice(1)}`]) {
      const { status, text } = await call(service, `/pets/${path}`);
      expect([status, text]).toStrictEqual([200, `{"id":${id},"name":"Rex","categoryId":7,"status":"available"}`]);
    }
  });

  test.each([
    "2",
    "01",
    "+1",
    "1.0",
    "1e0",
    "-0",
    "one",
    "1%2F1",
    "%201",
    "9223372036854775808",
    "%",
    "%zz",
    "%ff",
    "1;a",
  ])("404 pet_not_found for %s", async (id) => {
    await using service = await start({ pets: somePets(1) });
    expectError(await call(service, `/pets/${id}`), [...notFound]);
  });

  test.each([
    [200, "/pets/1", {}],
    [404, "/pets/2", {}],
    [401, "/pets/1", { apiKey: null }],
    [401, "/pets/1", { apiKey: "wrong" }],
    [200, "/pets/1", { method: "HEAD" }],
  ])("%i for %s tells when the operation ends", async (status, path, options) => {
    await using service = await start({ pets: somePets(1) });
    const answer = await call(service, path, options);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("Deprecation")).toBe("@1795132800");
    expect(answer.headers.get("Sunset")).toBe("Thu, 05 Dec 2030 00:00:00 GMT");
    expect(answer.headers.get("Link")).toBe('<../pets>; rel="successor-version"');
  });

  test.each([
    [405, { method: "DELETE" }],
    [204, { method: "OPTIONS" }],
  ])("%i for something that is not the operation does not tell of its end", async (status, options) => {
    await using service = await start();
    const answer = await call(service, "/pets/1", options);
    const told = ["Deprecation", "Sunset", "Link"].filter((name) => answer.headers.has(name));
    expect([answer.status, told]).toStrictEqual([status, []]);
  });

  test("410 operation_removed from the sunset on, and not before", async () => {
    const sunset = Date.parse("2030-12-05T00:00:00Z");
    let now = sunset - 1;
    await using service = await start({ pets: somePets(1), now: () => now });
    expect((await call(service, "/pets/1")).status).toBe(200);
    for (now of [sunset, sunset + 1, sunset + 86_400_000]) {
      for (const id of ["1", "2", "one"]) {
        const answer = await call(service, `/pets/${id}`);
        const message = "This operation has been removed. Use GET /pets with a status filter instead.";
        expectError(answer, [410, "operation_removed", message]);
        expect(answer.headers.get("Sunset")).toBe("Thu, 05 Dec 2030 00:00:00 GMT");
      }
      expect((await call(service, "/pets/1", { apiKey: null })).status).toBe(401);
      expect((await call(service, "/pets")).status).toBe(200);
    }
  });
}

const operations = [
  ["listPets", "/pets", {}],
  ["createPet", "/pets", { body: pet }],
  ["getPet", "/pets/1", {}],
  ["listOrders", "/store/orders", {}],
] as const;

/** Whom the service must let in. */
export function describeAuthentication(start: StartService): void {
  const missing: [string, (key: string) => Record<string, string>][] = [
    ["no credentials", () => ({})],
    ["an empty header", () => ({ Authorization: "" })],
    ["no scheme", (key) => ({ Authorization: key })],
    ["no space", (key) => ({ Authorization: `Bearer${key}` })],
    ["another scheme", (key) => ({ Authorization: `Basic ${key}` })],
  ];

  test.each(missing)("401 missing_api_key for %s", async (_name, toHeaders) => {
    await using service = await start();
    for (const [, path, options] of operations) {
      const answer = await call(service, path, { ...options, apiKey: null, headers: toHeaders(service.apiKey) });
      expectError(answer, [401, "missing_api_key", "Send an API key: Authorization: Bearer <API key>."]);
      expect(answer.headers.get("WWW-Authenticate")).toBe('Bearer realm="petstore"');
    }
    expect(await service.stored()).toStrictEqual([]);
  });

  const wrong: [string, (key: string) => string][] = [
    ["another key", (key) => `Bearer ${key.slice(0, -1)}!`],
    ["half a key", (key) => `Bearer ${key.slice(0, 10)}`],
    ["two keys", (key) => `Bearer ${key}, Bearer ${key}`],
    ["more than a key", (key) => `Bearer ${key} ${key}`],
    ["a tab", (key) => `Bearer\t${key}`],
    ["no key", () => "Bearer"],
  ];

  test.each(wrong)("401 invalid_api_key for %s", async (_name, credentials) => {
    await using service = await start();
    for (const [, path, options] of operations) {
      const headers = { Authorization: credentials(service.apiKey) };
      const answer = await call(service, path, { ...options, headers });
      expectError(answer, [401, "invalid_api_key", "The API key is not valid."]);
      expect(answer.headers.get("WWW-Authenticate")).toBe('Bearer realm="petstore", error="invalid_token"');
    }
    expect(await service.stored()).toStrictEqual([]);
  });

  test.each(["Bearer ", "bearer ", "BEARER    "])("200 for the scheme written %j", async (scheme) => {
    await using service = await start();
    const headers = { Authorization: scheme + service.apiKey };
    expect((await call(service, "/pets", { headers })).status).toBe(200);
  });

  test.each([
    ["parameters", "/pets?limit=0", {}],
    ["a cursor", "/store/orders?cursor=forged", {}],
    ["a body that is too large", "/pets", { body: "x".repeat(20_000) }],
    ["a body that is not JSON", "/pets", { body: "{", headers: { "Content-Type": "text/plain" } }],
    ["an idempotency key", "/pets", { body: pet, headers: { "Idempotency-Key": "" } }],
  ])("401 comes before what is wrong with %s", async (_name, path, options) => {
    await using service = await start();
    expect((await call(service, path, { ...options, apiKey: null })).status).toBe(401);
    expect((await call(service, path, { ...options, apiKey: "wrong" })).status).toBe(401);
  });
}

/** What the service must do with any request. */
export function describeHttp(start: StartService): void {
  const allowed: Record<string, string> = {
    "/pets": "GET, HEAD, POST, OPTIONS",
    "/pets/1": "GET, HEAD, OPTIONS",
    "/pets/rex": "GET, HEAD, OPTIONS",
    "/store/orders": "GET, HEAD, OPTIONS",
  };

  test.each(["", "/", "/pets/", "/Pets", "//pets", "/pets/1/", "/pets//1", "/pets/1/toys", "/%70ets", "/pets%2F1"])(
    "404 route_not_found for %s, whoever asks and how",
    async (path) => {
      await using service = await start();
      for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
        for (const apiKey of [service.apiKey, null, "wrong"]) {
          const answer = await call(service, path, { method, apiKey });
          expectError(answer, [404, "route_not_found", "There is nothing at this path."]);
          expect(answer.headers.get("Allow")).toBeNull();
        }
      }
    },
  );

  test.each(["/store", "/store/", "/store/orders/", "/store/orders/1", "/Store/Orders", "/../pets", "/constructor"])(
    "404 route_not_found for %s",
    async (path) => {
      await using service = await start();
      expectError(await call(service, path), [404, "route_not_found", "There is nothing at this path."]);
    },
  );

  test.each([
    ...["PUT", "PATCH", "DELETE"].map((method) => [method, "/pets"] as const),
    ...["POST", "PUT", "PATCH", "DELETE"].map((method) => [method, "/pets/1"] as const),
    ...["POST", "PUT", "PATCH", "DELETE"].map((method) => [method, "/store/orders"] as const),
  ])("405 method_not_allowed for %s %s, whoever asks", async (method, path) => {
    await using service = await start();
    for (const apiKey of [service.apiKey, null, "wrong"]) {
      const answer = await call(service, path, { method, apiKey, body: pet });
      const message = `This method is not allowed here. Use ${allowed[path]}.`;
      expectError(answer, [405, "method_not_allowed", message]);
      expect(answer.headers.get("Allow")).toBe(allowed[path]);
    }
    expect(await service.stored()).toStrictEqual([]);
  });

  test.each(Object.entries(allowed))("204 with Allow and no body for OPTIONS %s, whoever asks", async (path, allow) => {
    await using service = await start();
    for (const apiKey of [service.apiKey, null]) {
      const { status, headers, text } = await call(service, `${path}?limit=0`, { method: "OPTIONS", apiKey });
      expect([status, text, headers.get("Allow"), headers.get("Content-Type")]).toStrictEqual([204, "", allow, null]);
    }
  });

  test.each([
    [200, "/pets?limit=1", undefined],
    [200, "/pets/1", undefined],
    [200, "/store/orders", undefined],
    [400, "/pets?limit=0", undefined],
    [401, "/pets", null],
    [404, "/pets/9", undefined],
    [404, "/toys", undefined],
  ])("%i for HEAD %s with the headers of GET and no body", async (status, path, apiKey) => {
    await using service = await start({ pets: somePets(2) });
    const options = { ...(apiKey === null && { apiKey }), headers: { "X-Request-Id": "a" } };
    const got = await call(service, path, options);
    const head = await call(service, path, { ...options, method: "HEAD" });
    expect([got.status, head.status, head.text]).toStrictEqual([status, status, ""]);
    const ofConnection = ["connection", "date", "keep-alive"];
    const common = ({ headers }: typeof got) => [...headers].filter(([name]) => !ofConnection.includes(name));
    expect(common(head)).toStrictEqual(common(got));
  });

  const everywhere = [
    [200, "/pets", {}],
    [201, "/pets", { body: pet }],
    [204, "/pets", { method: "OPTIONS" }],
    [400, "/pets?limit=0", {}],
    [401, "/pets", { apiKey: null }],
    [404, "/toys", {}],
    [405, "/pets", { method: "DELETE" }],
    [413, "/pets", { body: "x".repeat(20_000) }],
  ] as const;

  test.each(everywhere)("%i for %s %j must not be stored or sniffed", async (status, path, options) => {
    await using service = await start();
    const answer = await call(service, path, options);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
  });

  test.each(everywhere)(
    "%i for %s %j carries the request id, the caller's if it is good",
    async (status, path, options) => {
      await using service = await start();
      for (const given of ["a", "A.b_c-9", "x".repeat(64)]) {
        const { status: found, headers } = await call(service, path, {
          ...options,
          headers: { "X-Request-Id": given },
        });
        expect([found, headers.get("X-Request-Id")]).toStrictEqual([status, given]);
      }
      const fresh = new Set<string | null>();
      const refused = ["", "x".repeat(65), "a b", "é", "a,b"];
      for (const given of refused) {
        const { headers } = await call(service, path, { ...options, headers: { "X-Request-Id": given } });
        expect(headers.get("X-Request-Id")).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
        fresh.add(headers.get("X-Request-Id"));
      }
      expect(fresh.size).toBe(refused.length);
    },
  );

  describe("a request that fetch cannot send", () => {
    const reason = new Error("Enough");

    test.each([
      ["a body with GET", "/pets", { method: "GET", body: "{}" }],
      ["the method TRACE", "/pets", { method: "TRACE" }],
      ["a header of several lines", "/pets", { headers: { "X-Request-Id": "a\nb" } }],
    ])("rejects with a TypeError for %s", async (_name, path, options) => {
      await using service = await start();
      await expect(call(service, path, options)).rejects.toThrow(TypeError);
    });

    test.each([
      ["has aborted", (controller: AbortController) => controller.abort(reason), undefined],
      ["aborts right after", undefined, (controller: AbortController) => controller.abort(reason)],
    ])("rejects with the reason of a signal that %s, and does nothing", async (_name, before, after) => {
      await using service = await start();
      const controller = new AbortController();
      before?.(controller);
      const sent = service.fetch(`${service.baseUrl}/pets`, {
        method: "POST",
        headers: { Authorization: `Bearer ${service.apiKey}`, "Content-Type": "application/json" },
        body: JSON.stringify(pet),
        signal: controller.signal,
      });
      after?.(controller);
      await expect(sent).rejects.toBe(reason);
      expect(await service.stored()).toStrictEqual([]);
    });
  });
}
