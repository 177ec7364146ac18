import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { eventually } from "@petstore/test-kit/eventually";
import { expect, test } from "vitest";
import { startRecorder } from "../support/other-servers.ts";
import { petstore } from "../support/petstore.ts";

const most = 2 ** 25;

/** Lists the animals of a server. */
async function list(listener: RequestListener) {
  await using server = await startRecorder(listener);
  const ended = await petstore("pets list --retries 0 --quiet", { server });
  return { ...ended, received: server.received.length };
}

test("1: a response without an end is read up to a limit, and its connection is closed", async () => {
  let written = 0;
  let isClosed = false;
  const ended = await list((_request, response) => {
    response.on("close", () => ([isClosed, written] = [true, response.socket?.bytesWritten ?? 0]));
    // White space, which JSON allows anywhere.
    const more = (): void => {
      while (!response.destroyed && response.write(" ".repeat(65_536)));
    };
    response.on("drain", more);
    more();
  });
  expect(ended).toMatchObject({ exitCode: 1, stdout: "", received: 1 });
  expect(ended.stderr).toMatch(/^error: The response has more than 33554432 bytes\nhint: /);
  await eventually(() => isClosed);
  expect(written).toBeLessThan(8 * most);
});

test("0: a response of exactly the limit is read, with characters in several parts, and one byte more is not, also compressed", async () => {
  const pet = '{"id":1,"name":"Zoë 🐶","categoryId":7,"status":"sold"}';
  const text = `[${pet}${" ".repeat(most - Buffer.byteLength(`[${pet}]`))}]`;
  const exact = await list((_request, response) => response.end(text));
  expect(exact).toMatchObject({ exitCode: 0, stdout: `${pet}\n` });
  expect(await list((_request, response) => response.end(`${text} `))).toMatchObject({ exitCode: 1 });
  const compressed = gzipSync(`${text} `);
  const zipped = await list((_request, response) => response.setHeader("Content-Encoding", "gzip").end(compressed));
  expect(zipped).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("more than 33554432 bytes") });
});

test("1: the status of an error matters more than its body", async () => {
  const body = JSON.stringify({ code: "unavailable", message: "Later.", status: 503 }).padEnd(most + 1);
  const ended = await list((_request, response) => response.writeHead(503, { "Retry-After": "3" }).end(body));
  expect(ended).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("(503 u") });
  expect(ended.stderr).toContain("hint: Try again in 3 s");
});
