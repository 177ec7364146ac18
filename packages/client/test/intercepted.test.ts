import type { RequestListener } from "node:http";
import { errorCodes } from "@petstore/contract/error-codes";
import { describe, expect, test } from "vitest";
import { ApiError, createPetstoreClient, InterceptedError, isApiError } from "../src/index.ts";
import { errorResponse, failure, json, scriptedClient, type Responder } from "./scripted-client.ts";
import { startScriptedServer } from "./scripted-server.ts";

const said = "something between you and the service answered";

const opaque: Responder = () =>
  Object.defineProperties(Response.error(), { type: { value: "opaqueredirect" } });

/** The error of a call with this response, without retries. */
async function errorOf(respond: Responder): Promise<InterceptedError> {
  const { client } = scriptedClient(respond, { maxRetries: 0 });
  return (await failure(client.listPets())) as InterceptedError;
}

function html(status: number, text: string, headers: Record<string, string> = {}): Responder {
  return () => new Response(text, { status, headers });
}

async function removeWith(headers: Record<string, string>): Promise<void> {
  const { client } = scriptedClient(() => new Response(null, { status: 204, headers }));
  await client.experimental.deletePet(1);
}

describe("a response that is not the service's is an InterceptedError", () => {
  test.each<[string, Responder, form: string, body: string]>([
    [
      "HTML",
      html(403, "<html>\r\n\t<h1>No</h1>\n</html>"),
      "403 in HTML",
      "<html> <h1>No</h1> </html>",
    ],
    [
      "HTML and a request id",
      html(502, "\n<!doctype html>", { "X-Request-Id": "a" }),
      "502 in HTML",
      " <!doctype html>",
    ],
    ["a page of success", html(200, "<html>Welcome</html>"), "200 in HTML", "<html>Welcome</html>"],
    ["text", html(200, "Sign in first"), "200", "Sign in first"],
    ["JSON that breaks off", html(200, '{"id":1,', { "X-Request-Id": "a" }), "200", '{"id":1,'],
    ["no body", html(511, ""), "511", ""],
    ["other JSON", html(403, '{"error":"forbidden"}'), "403", '{"error":"forbidden"}'],
    ["JSON that is no object", html(400, "null"), "400", "null"],
    ["another code", html(403, '{"code":"forbidden"}'), "403", '{"code":"forbidden"}'],
    [
      "another code with a request id",
      html(403, '{"code":"forbidden"}', { "X-Request-Id": "a" }),
      "403",
      '{"code":"forbidden"}',
    ],
    [
      "no code, with a request id",
      html(403, '{"status":403}', { "X-Request-Id": "a" }),
      "403",
      '{"status":403}',
    ],
    [
      "a code that is no word",
      html(400, '{"code":42}', { "X-Request-Id": "a" }),
      "400",
      '{"code":42}',
    ],
    [
      "no text",
      () => new Response(new Uint8Array([0xff, 0xfe, 0x00, 0x41]), { status: 500 }),
      "500",
      "\ufffd\ufffd A",
    ],
    [
      "control characters",
      html(502, "a\u001b[31mred\u0007\u202etxt\u2067.\u2028end"),
      "502",
      "a [31mred txt . end",
    ],
    [
      "201 characters",
      html(502, `${"x".repeat(199)}\u{1f436}y`),
      "502",
      `${"x".repeat(199)}\u{1f436}`,
    ],
    ["304", () => new Response(null, { status: 304 }), "304", ""],
  ])("%s", async (_name, respond, form, body) => {
    const error = await errorOf(respond);
    expect(error).toBeInstanceOf(InterceptedError);
    expect(isApiError(error)).toBe(false);
    expect(error).toMatchObject({
      body,
      message: `listPets: ${said} (${form}): ${body || "empty body"}`,
    });
  });

  test("a removal with 204 and no request id, but not with one", async () => {
    expect(await failure(removeWith({}))).toMatchObject({ name: "InterceptedError", status: 204 });
    expect(await removeWith({ "X-Request-Id": "a" })).toBeUndefined();
  });

  test("its headers are there, and are not printed", async () => {
    const error = await errorOf(html(503, "Busy", { "Retry-After": "90", "X-Other": "yes" }));
    expect(error.headers.get("X-Other")).toBe("yes");
    expect(error).toMatchObject({
      status: 503,
      retryAfterMs: 90_000,
      requestId: undefined,
      operation: "listPets",
    });
    expect(JSON.stringify(error)).not.toContain("yes");
  });
});

describe("a response of the service is an ApiError", () => {
  test.each(errorCodes)("with the code %s", async (code) => {
    expect(await errorOf(json(400, { code }))).toBeInstanceOf(ApiError);
  });

  test("with a code that is not known, and a request id", async () => {
    expect(await errorOf(errorResponse(418, "a_newer_code"))).toMatchObject({
      status: 418,
      code: "a_newer_code",
    });
  });

  test("with a code and a Location", async () => {
    expect(
      await errorOf(errorResponse(400, "invalid_request", { Location: "/v1/pets" })),
    ).toBeInstanceOf(ApiError);
  });
});

describe("a redirect is an InterceptedError, and neither followed nor retried", () => {
  test("308 from a server", async () => {
    await using elsewhere = await startScriptedServer((_request, response) => response.end("[]"));
    const redirect: RequestListener = (request, response) =>
      response
        .writeHead(308, {
          Location: new URL(request.url ?? "", elsewhere.url).href,
          "X-Request-Id": "a",
        })
        .end("Moved");
    await using server = await startScriptedServer(redirect);
    const error = await failure(
      createPetstoreClient({ baseUrl: server.url, apiKey: "key" }).listPets({ limit: 5 }),
    );
    expect([server.requests.length, elsewhere.requests.length]).toStrictEqual([1, 0]);
    const location = `${elsewhere.url}/pets?limit=5`;
    const message = `listPets: ${said} (308 to ${elsewhere.url}/pets): Moved`;
    expect(error).toMatchObject({
      name: "InterceptedError",
      status: 308,
      requestId: "a",
      retries: 0,
      message,
    });
    expect((error as InterceptedError).headers.get("Location")).toBe(location);
  });

  test("302 of a POST request, with an Error as its body", async () => {
    const body = { code: "pet_not_found", message: "No.", status: 302 };
    const { client, requests } = scriptedClient(
      json(302, body, { Location: "https://login.example/?from=petstore" }),
    );
    expect(await failure(client.createPet({ name: "Rex", categoryId: 7 }))).toBeInstanceOf(
      InterceptedError,
    );
    expect(requests).toHaveLength(1);
  });

  test("in a browser, where it is an opaque response with status 0", async () => {
    const { client, requests } = scriptedClient(opaque);
    const message = `listPets: ${said} (redirect): empty body`;
    expect(await failure(client.listPets())).toMatchObject({
      name: "InterceptedError",
      status: 0,
      message,
    });
    expect(requests).toHaveLength(1);
  });
});
