import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { eventually } from "@petstore/server/start-server";
import { describe, expect, test } from "vitest";
import { createPetstoreClient, DecodeError } from "../src/index.ts";
import { expectNamed, failure, recordFetch, scriptedClient, rex, thrownBy } from "./scripted-client.ts";
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

describe("a response of more than maxResponseBytes is a DecodeError that names the option:", () => {
  test("200 without an end is read up to 32 MiB by default, not retried, and its connection is closed", async () => {
    await using server = await startScriptedServer(endless);
    const error = await failure(createPetstoreClient({ baseUrl: server.url, apiKey: "key" }).listPets());
    expect(error).toBeInstanceOf(DecodeError);
    expect(error).toMatchObject({ operation: "listPets", status: 200, field: "body", retries: 0 });
    expect((error as Error).message).toMatch(/ body must be at most 33554432 bytes \(maxResponseBytes\)$/);
    expect(server.requests).toHaveLength(1);
    await eventually(() => server.requests[0]?.socket.destroyed === true);
    expect(server.requests[0]?.socket.bytesWritten).toBeLessThan(64 * mebibyte);
  });

  test("200 with a small compressed body that is large", async () => {
    const body = gzipSync(" ".repeat(2 * mebibyte));
    await using server = await startScriptedServer((_request, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip", "Content-Length": body.length }).end(body);
    });
    const client = createPetstoreClient({ baseUrl: server.url, apiKey: "key", maxResponseBytes: mebibyte });
    expect(await failure(client.listPets())).toMatchObject({ name: "DecodeError", field: "body" });
    expect(body.length).toBeLessThan(mebibyte / 100);
  });

  test.each([200, 404, 503])("%d with one byte too many", async (status) => {
    const maxResponseBytes = text.length - 1;
    const { client, requests } = scriptedClient(() => new Response(text, { status }), { maxResponseBytes });
    expect(await failure(client.listPets())).toMatchObject({ name: "DecodeError", status, retries: 0 });
    expect(requests).toHaveLength(1);
  });
});

test("200 of exactly maxResponseBytes", async () => {
  const { client } = scriptedClient(() => new Response(text), { maxResponseBytes: text.length });
  expect((await client.listPets()).data).toStrictEqual([rex]);
});

test("200 in parts that end within a character", async () => {
  const name = "Zoë 🐶";
  const bytes = new TextEncoder().encode(JSON.stringify([{ ...rex, name }]));
  const body = (): ReadableStream =>
    new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
  const { client } = scriptedClient(() => new Response(body()), { maxResponseBytes: bytes.length });
  expect((await client.listPets()).data[0]?.name).toBe(name);
});

test("200 of a fetch that returns less than a Response", async () => {
  const response = { ok: true, status: 200, headers: new Headers(), text: async () => JSON.stringify([rex]) };
  const { client } = scriptedClient(() => response as Response);
  expect((await client.listPets()).data).toStrictEqual([rex]);
});

test.each([0, -1, Number.NaN, "1", null])("maxResponseBytes cannot be %s", (maxResponseBytes) => {
  const { fetch } = recordFetch();
  const options = { baseUrl: "https://petstore.example/v1", apiKey: "key", fetch, maxResponseBytes };
  expectNamed(
    thrownBy(() => createPetstoreClient(options as object)),
    "maxResponseBytes",
  );
});
