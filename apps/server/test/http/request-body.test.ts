import { maxBodyBytes } from "@petstore/contract";
import { expect } from "vitest";
import { expectRejected, expectUnharmed } from "../support/expect-response.ts";
import { chunked, close, get, json, post, postFramed, rex, toChunks } from "../support/raw-request.ts";
import { testWithServer } from "../support/shared-server.ts";

const test = testWithServer();

const full = rex.padEnd(maxBodyBytes);

/** Ways to send a body. */
const framings: Record<string, (body: string) => string> = {
  "of a declared length": (body) => post(body, close),
  "in two chunks": (body) => postFramed(toChunks(body.slice(0, 1000), body.slice(1000)), chunked, close),
};

test.for(Object.entries(framings))("413 for 16,385 bytes %s, 201 for one less", async ([, frame], { server }) => {
  await expectRejected(server, frame(`${full} `), "body_too_large");
  expect(await server.send(frame(full))).toMatchObject([{ status: 201 }]);
});

// Which media types and bodies are valid is tested in the service. These have headers that Node joins.
test.for([`${json}\r\n${json}`, `${json}\r\nContent-Encoding: identity\r\nContent-Encoding: gzip`])(
  "415 unsupported_media_type for %j",
  async (headers, { server }) => {
    await expectRejected(server, post(rex, close).replace(json, headers), "unsupported_media_type");
  },
);

test("400 invalid_request without a body at all", async ({ server }) => {
  await expectRejected(server, postFramed("", close), "invalid_request");
});

test("200 for GET whatever its body", async ({ server }) => {
  for (const body of ["{", "", rex, " ".repeat(20_000)]) {
    const headers = ["Content-Type: text/plain", "Content-Encoding: gzip", `Content-Length: ${body.length}`, close];
    expect(await server.send(get("/v1/pets", ...headers) + body)).toMatchObject([{ status: 200 }]);
  }
  await expectUnharmed(server);
});
