import { startServer } from "@petstore/server/start-server";
import { expect, test } from "vitest";
import {
  createPetstoreClient,
  type HttpMethod,
  type PetstoreClient,
  type PetstoreClientOptions,
  type RawRequestOptions,
} from "../src/index.ts";
import { createPetstoreFake } from "../src/testing.ts";

const milo = { body: { name: "Milo", categoryId: 2n ** 60n }, idempotencyKey: "first" };

const requests: [method: HttpMethod, path: string, options?: RawRequestOptions][] = [
  ["GET", "/pets", { query: { limit: 2 } }],
  ["GET", "/pets?limit=2&limit=3"],
  ["GET", "/pets/1"],
  ["GET", "/store/orders"],
  ["GET", "/nothing"],
  ["GET", "/pets/"],
  ["HEAD", "/pets?limit=2"],
  ["HEAD", "/pets/1"],
  ["HEAD", "/pets/99"],
  ["HEAD", "/nothing"],
  ["OPTIONS", "/pets"],
  ["OPTIONS", "/pets/1"],
  ["OPTIONS", "/nothing"],
  ["POST", "/pets", milo],
  ["POST", "/pets", milo],
  ["POST", "/pets", { ...milo, body: { name: "Bella", categoryId: 1 } }],
  ["POST", "/pets", { body: { name: "" } }],
  ["POST", "/pets", {}],
  ["POST", "/pets/1", { body: {} }],
  ["PUT", "/pets/1", { body: { name: "Bella" } }],
  ["PATCH", "/pets", { body: {} }],
  ["DELETE", "/pets/1"],
];

test("the fake responds to raw requests like the server", async () => {
  await using server = await startServer();
  const petstore = createPetstoreFake();
  const [ofServer, ofFake] = await Promise.all([
    responses({ baseUrl: server.url, apiKey: server.apiKey }),
    responses(petstore),
  ]);
  expect(ofFake).toStrictEqual(ofServer);
  expect(petstore.requests.slice(-requests.length).map(({ method }) => method)).toStrictEqual(
    requests.map(([method]) => method),
  );
});

/** The response to each of the requests, without what differs between services. */
async function responses(options: PetstoreClientOptions): Promise<unknown[]> {
  const client = createPetstoreClient({ ...options, deprecations: "silent" });
  for (const name of ["Rex", "Tom", "Kim"]) await client.createPet({ name, categoryId: 7 });
  const received = [];
  for (const request of requests) received.push(await responseTo(client, ...request));
  return received;
}

async function responseTo(client: PetstoreClient, ...request: (typeof requests)[number]): Promise<unknown> {
  const { data, response, ...error } = await client
    .request(...request)
    .withResponse()
    .catch(({ message, code, status, headers }) => ({ message, code, data: undefined, response: { status, headers } }));
  const headers: Record<string, string> = Object.fromEntries(response.headers);
  const own = ["connection", "content-length", "date", "keep-alive", "x-request-id"];
  for (const name of own) delete headers[name];
  // Each service signs its cursors with a secret of its own.
  const link = headers["link"]?.replace(/cursor=[^&>]+/, "cursor=…");
  return { request, ...error, data, status: response.status, headers: { ...headers, link } };
}
