import type { RequestListener } from "node:http";
import { eventually } from "@petstore/test-kit/eventually";
import { expect, test } from "vitest";
import { ConnectionError, createPetstoreClient, TimeoutError } from "../src/index.ts";
import { failure } from "./scripted-client.ts";
import { startScriptedServer } from "./scripted-server.ts";

const reason = new Error("the user went away");

const neverRespond: RequestListener = () => {};

const stallInTheBody: RequestListener = (_request, response) => {
  response.writeHead(200, { "Content-Type": "application/json" });
  response.write("[");
};

const unavailable: RequestListener = (_request, response) => {
  response.writeHead(503, { "Retry-After": "30" });
  response.end();
};

const resetConnection: RequestListener = (request) => request.socket.resetAndDestroy();

/** Closes the connection before the end of the body. */
const breakOff: RequestListener = (request, response) => {
  response.writeHead(200, { "Content-Length": "100" });
  response.write("[", () => request.socket.destroy());
};

test.each([
  ["before a response", neverRespond, "a request"],
  ["within a body that stalls", stallInTheBody, "the head of a response"],
  ["while it waits to try again", unavailable, "a retry"],
] as const)("an abort %s ends the call and its connection", async (_name, listener, awaited) => {
  await using server = await startScriptedServer(listener);
  const seen = new Set<string>();
  const client = createPetstoreClient({
    baseUrl: server.url,
    apiKey: "key",
    onEvent: ({ type }) => seen.add(`a ${type}`),
    async fetch(...request) {
      const response = await fetch(...request);
      seen.add("the head of a response");
      return response;
    },
  });
  const controller = new AbortController();
  const failed = failure(client.listPets({}, { signal: controller.signal }));
  await eventually(() => seen.has(awaited) && server.requests.length === 1);

  controller.abort(reason);
  expect(await failed).toBe(reason);
  if (awaited !== "a retry") await eventually(() => server.requests[0]?.socket.destroyed === true);
  expect(server.requests).toHaveLength(1);
});

test.each([
  ["never responds", neverRespond],
  ["stalls in the body", stallInTheBody],
])("a request to a server that %s ends after timeoutMs", async (_name, listener) => {
  await using server = await startScriptedServer(listener);
  const client = createPetstoreClient({ baseUrl: server.url, apiKey: "key", timeoutMs: 50, maxRetries: 0 });
  expect(await failure(client.listPets())).toBeInstanceOf(TimeoutError);
});

test.each([
  ["resets the connection", resetConnection],
  ["breaks off in the body", breakOff],
])(
  "a request to a server that %s is retried, then fails with a ConnectionError and its cause",
  async (_name, listener) => {
    await using server = await startScriptedServer(listener);
    const client = createPetstoreClient({ baseUrl: server.url, apiKey: "key", maxRetries: 1 });
    const error = await failure(client.listPets());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ cause: expect.any(Error) as Error });
    expect(server.requests).toHaveLength(2);
  },
);
