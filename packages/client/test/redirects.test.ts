import type { RequestListener } from "node:http";
import { describe, expect, test } from "vitest";
import { ApiError, createPetstoreClient, isApiError } from "../src/index.ts";
import { errorResponse, failure, inOrder, json, scriptedClient, type Responder } from "./scripted-client.ts";
import { startScriptedServer } from "./scripted-server.ts";

const opaque: Responder = () => Object.defineProperties(Response.error(), { type: { value: "opaqueredirect" } });

describe("a redirect is an ApiError with the code redirected, and neither followed nor retried", () => {
  test("from a server", async () => {
    await using elsewhere = await startScriptedServer((_request, response) => response.end("[]"));
    const redirect: RequestListener = (request, response) =>
      response
        .writeHead(308, { Location: new URL(request.url ?? "", elsewhere.url).href, "X-Request-Id": "a" })
        .end("Moved");
    await using server = await startScriptedServer(redirect);
    const error = await failure(createPetstoreClient({ baseUrl: server.url, apiKey: "key" }).listPets({ limit: 5 }));
    expect([server.requests.length, elsewhere.requests.length]).toStrictEqual([1, 0]);
    expect((error as ApiError).constructor).toBe(ApiError);
    expect(isApiError(error, "redirected")).toBe(true);
    expect(error).toMatchObject({ status: 308, requestId: "a", operation: "listPets", retries: 0, body: undefined });
    const location = `${elsewhere.url}/pets?limit=5`;
    expect((error as Error).message).toBe(`listPets: redirected to ${location}: change baseUrl (308 redirected)`);
    expect((error as ApiError).headers.get("Location")).toBe(location);
  });

  test("of a POST request, with an Error as its body", async () => {
    const body = { code: "pet_not_found", message: "No.", status: 302 };
    const { client, requests } = scriptedClient(json(302, body, { Location: "https://login.example/?from=petstore" }));
    expect(isApiError(await failure(client.createPet({ name: "Rex", categoryId: 7 })), "redirected")).toBe(true);
    expect(requests).toHaveLength(1);
  });

  test("in a browser, where it is an opaque response with status 0", async () => {
    const { client, requests } = scriptedClient(opaque);
    const error = await failure(client.listPets());
    expect(isApiError(error, "redirected")).toBe(true);
    expect((error as Error).message).toBe("listPets: redirected to another address: change baseUrl (0 redirected)");
    expect(requests).toHaveLength(1);
  });
});

test("304 without a Location is an error of a proxy, and 400 with one is no redirect", async () => {
  const { client } = scriptedClient(
    inOrder(() => new Response(null, { status: 304 }), errorResponse(400, "a_code", { Location: "/v1/pets" })),
  );
  expect(await failure(client.listPets())).toMatchObject({ status: 304, code: "unknown" });
  expect(await failure(client.listPets())).toMatchObject({ status: 400, code: "a_code" });
});
