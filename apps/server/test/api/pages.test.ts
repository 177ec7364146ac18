import { createHook } from "node:async_hooks";
import { referenceProgram } from "@petstore/test-servers/reference-files";
import { describe, expect, onTestFinished } from "vitest";
import { boardFiles } from "../support/board-files.ts";
import { browser, get } from "../support/browser.ts";
import { close, host, toRequest } from "../support/raw-request.ts";
import { testWithServer } from "../support/shared-server.ts";
import { startServer, type TestServer } from "../support/start-server.ts";

const test = testWithServer();

/**
 * Counts how often this process compresses or unpacks. Node reports each as a resource of the type
 * ZLIB.
 */
function countZlib(): () => number {
  let count = 0;
  const hook = createHook({
    init(_asyncId, type) {
      if (type === "ZLIB") count++;
    },
  }).enable();
  onTestFinished(() => void hook.disable());
  return () => count;
}

const program = "the program of /docs";

/** What is kept compressed. */
const compressed = ["/v1/openapi.json", program, ...boardFiles.keys()];

async function targetOf(name: string, server: TestServer): Promise<string> {
  return name === program ? await referenceProgram(server.url) : name;
}

const head = (server: TestServer, target: string, ...headers: readonly string[]) =>
  server.send(toRequest(`HEAD ${target} HTTP/1.1`, [host, close, ...headers]));

const encodings = ["identity", "gzip", "br", "gzip;q=0", "*", "identity;q=0, gzip;q=0"];
const variants = [
  [],
  [browser],
  ...encodings.map((encoding) => [browser, `Accept-Encoding: ${encoding}`]),
];

describe("each form of what needs no key is made once, whatever the headers", () => {
  test.for(compressed)(
    "200 for HEAD of %s, for which nothing is unpacked",
    async (name, { server }) => {
      const target = await targetOf(name, server);
      await get(server, target, "Accept-Encoding: gzip");
      const made = countZlib();
      for (const headers of variants)
        expect(await head(server, target, ...headers)).toMatchObject([{ status: 200 }]);
      expect(made()).toBe(0);
    },
  );

  test.for(compressed)("200 for %s, which is not made again", async (name, { server }) => {
    const target = await targetOf(name, server);
    await get(server, target);
    const made = countZlib();
    for (const headers of variants)
      expect(await get(server, target, ...headers)).toMatchObject({ status: 200 });
    expect(made()).toBe(0);
  });

  test("200 for the first 20 callers of /v1/openapi.json at once, for whom it is compressed once and unpacked once", async () => {
    await using server = await startServer();
    const made = countZlib();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => get(server, "/v1/openapi.json")),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(made()).toBe(2);
  });

  test.for(["/", "/help", "/help.de", "/docs", "/docs/", "/nothing"])(
    "nothing is compressed or unpacked for %s",
    async (target, { server }) => {
      const made = countZlib();
      for (const headers of variants) {
        await get(server, target, ...headers);
        await head(server, target, ...headers);
      }
      expect(made()).toBe(0);
    },
  );
});

const padded = (preferences: string, length: number) =>
  (preferences + ",x".repeat(length)).slice(0, length);

describe("preferences of more than 1,000 characters count as none", () => {
  test.for([
    ["gzip", 1_000],
    [undefined, 1_001],
  ] as const)(
    "200 with Content-Encoding %s for an Accept-Encoding of %d",
    async ([encoding, length], { server }) => {
      const { status, headers } = await get(
        server,
        "/v1/openapi.json",
        `Accept-Encoding: ${padded("gzip", length)}`,
      );
      expect([status, headers["content-encoding"]]).toEqual([200, encoding]);
    },
  );

  test.for([
    ["text/html; charset=utf-8", 1_000],
    ["application/json; charset=utf-8", 1_001],
  ] as const)("200 with %s at / for an Accept of %d", async ([type, length], { server }) => {
    const { status, headers } = await get(server, "/", `Accept: ${padded("text/html", length)}`);
    expect([status, headers["content-type"]]).toEqual([200, type]);
  });
});
