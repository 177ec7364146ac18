import { spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { freePort } from "@petstore/test-kit/free-port";
import { petstoreServer } from "@petstore/test-kit/processes";
import { expect, onTestFinished } from "vitest";
import { test } from "./petstore.ts";

/** Enough lines to fill every buffer between the server and a reader that has fallen asleep. */
const manyRequests = 3_000;

test.for<[why: string, stdio: () => StdioOptions, requests: number]>([
  ["the disk is full", () => ["ignore", openSync("/dev/full", "w"), "pipe"], 100],
  ["nobody reads it", () => ["ignore", "pipe", "pipe"], manyRequests],
])("401, and exit code 0 in the end, when the log cannot be written: %s", async ([, stdio, requests], { petstore }) => {
  const port = await freePort();
  const child = spawn(process.execPath, [petstoreServer, "serve"], {
    cwd: petstore.directory,
    env: { ...petstore.environment, PETSTORE_PORT: String(port) },
    stdio: stdio(),
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  async function statusOf(): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${port}/v1/pets`);
    await response.text();
    return response.status;
  }
  await expect.poll(statusOf).toBe(401); // the log cannot tell when it takes connections
  for (let sent = 0; sent < requests; sent += 50) {
    expect(new Set(await Promise.all(Array.from({ length: 50 }, statusOf)))).toEqual(new Set([401]));
  }
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});
