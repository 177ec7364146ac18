import { startServer } from "@petstore/server/start-server";
import { temporaryDirectory } from "@petstore/test-servers/processes";
import { test as base } from "vitest";
import { importDesk, proxyTo } from "./import-desk.ts";

/* oxlint-disable no-empty-pattern -- vitest reads from the pattern what a fixture needs */

/**
 * Tests with fixtures, which are created for each test that names them, and disposed of after it.
 */
export const test = base
  .extend("home", ({}, { onCleanup }) => makeDirectory(onCleanup))
  .extend("directory", ({}, { onCleanup }) => makeDirectory(onCleanup))
  .extend("server", async ({}, { onCleanup }) => {
    const server = await startServer();
    onCleanup(() => server[Symbol.asyncDispose]());
    return server;
  })
  .extend("proxy", async ({ server }, { onCleanup }) => {
    const proxy = await proxyTo(server);
    onCleanup(() => proxy[Symbol.asyncDispose]());
    return proxy;
  })
  .extend("desk", ({ server }) => importDesk(server));

function makeDirectory(onCleanup: (remove: () => void) => void): string {
  const directory = temporaryDirectory();
  onCleanup(() => directory[Symbol.dispose]());
  return directory.path;
}
