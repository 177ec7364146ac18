import { test } from "vitest";
import { startServer, type StartOptions, type TestServer } from "./start-server.ts";

/* oxlint-disable no-empty-pattern -- vitest reads from the pattern what a fixture needs */

/**
 * Tests of a file that share a server, because most need none of their own. `calls` and `logs`
 * begin anew with each test, and the store does not. Its responses are checked against the OpenAPI
 * document after the last test.
 */
export function testWithServer(
  options: StartOptions = {},
  prepare?: (server: TestServer) => unknown,
) {
  return test
    .extend("shared", { scope: "file" }, async ({}, { onCleanup }) => {
      const server = await startServer(options);
      onCleanup(() => server[Symbol.asyncDispose]());
      await prepare?.(server);
      return server;
    })
    .extend("server", ({ shared }) => {
      shared.calls.length = 0;
      shared.logs.length = 0;
      return shared;
    });
}
