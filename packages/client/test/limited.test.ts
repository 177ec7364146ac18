import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { eventually } from "@petstore/test-kit/eventually";
import { describe, expect, test, vi } from "vitest";
import { ApiError, createPetstoreClient, DecodeError, limited } from "../src/index.ts";
import { failure, recordFetch, scriptedClient, rex, type Responder } from "./scripted-client.ts";
import { startScriptedServer } from "./scripted-server.ts";

const mebibyte = 2 ** 20;
const text = JSON.stringify([rex]);

/** Sends white space, which JSON allows anywhere, until the connection is closed. */
const endless: RequestListener = (_request, response) => {
  response.writeHead(200, { "Content-Type": "application/json" });
  const more = (): void => {
    while (!response.destroyed && response.write(" ".repeat(65_536)));
  };
  response.on("drain", more);
  more();
};

function limitedClient(respond: Responder, maxBytes: number) {
  const { fetch, requests } = recordFetch(respond);
  return { ...scriptedClient(respond, { fetch: limited(fetch, maxBytes), maxRetries: 1 }), requests };
}

describe("with limited(fetch, bytes), a larger response is a DecodeError:", () => {
  test("200 without an end is read up to the limit, not retried, and its connection is closed", async () => {
    await using server = await startScriptedServer(endless);
    const error = await failure(
      createPetstoreClient({ baseUrl: server.url, apiKey: "key", fetch: limited(fetch, 32 * mebibyte) }).listPets(),
    );
    expect(error).toBeInstanceOf(DecodeError);
    expect(error).toMatchObject({ operation: "listPets", status: 200, field: "body", retries: 0 });
    expect((error as Error).message).toBe("The response has more than 33554432 bytes");
    expect(server.requests).toHaveLength(1);
    await eventually(() => server.requests[0]?.socket.destroyed === true); // it sends without an end
    expect(server.requests[0]?.socket.bytesWritten).toBeLessThan(256 * mebibyte);
  });

  test("200 with a small compressed body that is large", async () => {
    const body = gzipSync(" ".repeat(2 * mebibyte));
    await using server = await startScriptedServer((_request, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip", "Content-Length": body.length }).end(body);
    });
    const client = createPetstoreClient({ baseUrl: server.url, apiKey: "key", fetch: limited(fetch, mebibyte) });
    expect(await failure(client.listPets())).toMatchObject({ name: "DecodeError", field: "body" });
    expect(body.length).toBeLessThan(mebibyte / 100);
  });

  test("200 with one byte too many, but not 200 with exactly the limit", async () => {
    const { client, requests } = limitedClient(() => new Response(text), text.length - 1);
    expect(await failure(client.listPets())).toMatchObject({ name: "DecodeError", status: 200, retries: 0 });
    expect(requests).toHaveLength(1);
    expect((await limitedClient(() => new Response(text), text.length).client.listPets()).data).toStrictEqual([rex]);
  });
});

describe("the status of an error matters more than its body:", () => {
  const body = JSON.stringify({ code: "unavailable", message: "Later.", status: 503 });
  const cut = (): ReadableStream =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(body.slice(0, 9))),
      pull: (controller) => controller.error(new Error("cut")),
    });

  test.each([404, 503])("%d with one byte too many is an ApiError with the beginning of the body", async (status) => {
    const respond = (): Response => new Response(body, { status, headers: { "Retry-After": "3" } });
    const { client, clock, requests } = limitedClient(respond, body.length - 1);
    const error = await failure(clock.settle(client.listPets()));
    expect(error).toMatchObject({ status, code: "unknown", body: body.slice(0, -1), retryAfterMs: 3000 });
    expect(error).toBeInstanceOf(ApiError);
    expect([requests.length, clock.now()]).toStrictEqual(status === 503 ? [2, 3250] : [1, 0]);
  });

  test.each([404, 503])("%d with a body that is cut off", async (status) => {
    const { client, clock, requests } = scriptedClient(() => new Response(cut(), { status }), { maxRetries: 1 });
    const error = await failure(clock.settle(client.listPets()));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status, code: "unknown" });
    expect(requests).toHaveLength(status === 503 ? 2 : 1);
  });

  test("200 with a body that is cut off is a ConnectionError", async () => {
    const { client } = scriptedClient(() => new Response(cut()), { maxRetries: 0 });
    expect(await failure(client.listPets())).toMatchObject({ name: "ConnectionError" });
  });
});

test("200 in parts that end within a character", async () => {
  const name = "Zoë 🐶";
  const bytes = new TextEncoder().encode(JSON.stringify([{ ...rex, name }]));
  const start = (controller: ReadableStreamDefaultController): void => {
    for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
    controller.close();
  };
  const respond = (): Response => new Response(new ReadableStream({ start }));
  const { client } = limitedClient(respond, bytes.length);
  expect((await client.listPets()).data[0]?.name).toBe(name);
});

test("200 of a fetch that returns less than a Response", async () => {
  const response = { ok: true, status: 200, headers: new Headers(), text: async () => JSON.stringify([rex]) };
  const { client } = scriptedClient(() => response as Response);
  expect((await client.listPets()).data).toStrictEqual([rex]);
});

test("502 with a body of 30 MB: only the beginning is cleaned", async () => {
  const { client } = scriptedClient(() => new Response(" \u0007".repeat(15_000_000), { status: 502 }), {
    maxRetries: 0,
  });
  const replace = vi.spyOn(String.prototype, "replace");
  const error = await failure(client.listPets());
  const lengths = replace.mock.contexts.map((each) => String(each).length);
  replace.mockRestore();
  expect(error).toMatchObject({ status: 502, body: " " });
  expect(lengths.length).toBeGreaterThan(0);
  expect(Math.max(...lengths)).toBeLessThan(100_000);
});
