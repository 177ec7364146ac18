import { spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { Writable } from "node:stream";
import { eventually } from "@petstore/test-kit/eventually";
import { onFreePort } from "@petstore/test-kit/free-port";
import { serverWith } from "@petstore/test-servers/processes";
import { expect, onTestFinished } from "vitest";
import { createLog, createTimestamp, withoutWaiting } from "../../src/monitoring/log.ts";
import { test, type Petstore } from "../support/petstore.ts";

/** Starts the server on a port that is known without its log. Resolves when it responds. */
async function serveWith({ directory, environment }: Petstore, stdio: StdioOptions) {
  return await onFreePort(async (port) => {
    const env = { ...environment, PETSTORE_PORT: String(port) };
    const child = spawn(process.execPath, [...serverWith(), "serve"], {
      cwd: directory,
      env,
      stdio,
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    async function statusOf(): Promise<number> {
      if (child.exitCode === 69) throw new Error("address already in use");
      const headers = { "X-Request-Id": "x".repeat(64) };
      const response = await fetch(`http://127.0.0.1:${port}/v1/pets`, { headers }).catch(
        () => undefined,
      );
      await response?.arrayBuffer();
      return response?.status ?? 0;
    }
    await eventually(async () => (await statusOf()) === 401);
    return { child, statusOf };
  });
}

/** Enough lines to fill every buffer between the server and a reader that has stopped. */
const manyRequests = 1_000;

test.for<[why: string, stdio: () => StdioOptions, requests: number]>([
  ["the disk is full", () => ["ignore", openSync("/dev/full", "w"), "pipe"], 50],
  ["it is not read", () => ["ignore", "pipe", "pipe"], manyRequests],
])(
  "401, and exit code 0 in the end, when the log cannot be written: %s",
  async ([, stdio, requests], { petstore }) => {
    const { child, statusOf } = await serveWith(petstore, stdio());
    for (let sent = 0; sent < requests; sent += 50)
      expect(new Set(await Promise.all(Array.from({ length: 50 }, statusOf)))).toEqual(
        new Set([401]),
      );
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  },
);

test("lines that are logged together are written together, and the last ones when the process ends", async () => {
  const written: string[] = [];
  const log = withoutWaiting({
    write: (text: string) => written.push(text) > 0,
    writableLength: 0,
  });
  const lines = Array.from({ length: 100 }, (_, index) => `${index}\n`);
  for (const line of lines) log.write(line);
  await expect.poll(() => written).toEqual([lines.join("")]);
  log.write("when the process ends\n");
  log.flush();
  expect(written.at(-1)).toBe("when the process ends\n");
});

test("a reader that takes nothing makes the server keep a megabyte of lines, and drop the others", () => {
  const output = new Writable({ write: () => {} });
  const log = withoutWaiting(output);
  const line = `${"x".repeat(999)}\n`;
  for (let count = 0; count < 5_000; count++) {
    log.write(line);
    log.flush();
  }
  expect(output.writableLength).toBeGreaterThan(1_000_000);
  expect(output.writableLength).toBeLessThan(1_200_000);
});

test("the time of each line is in ISO 8601, to the millisecond, also when the clock is set back", () => {
  const day = Date.UTC(2026, 10, 28, 17, 59, 59);
  const times = [0, 7, 42, 999, 1_000, 1_001, 61_000, 2_000, 999, 0, -1].map((ms) => day + ms);
  let time = 0;
  const timestamp = createTimestamp(() => time);
  const lines = times.map((each) => {
    time = each;
    return timestamp();
  });
  expect(lines).toEqual(times.map((each) => `,"time":"${new Date(each).toISOString()}"`));
});

test("the stack of an error has each place, but not the code of a module that the build has inlined", () => {
  const inlined = `data:text/javascript;base64,${"Zm9v+/".repeat(5_000)}==`;
  const err = new Error("constraint failed");
  err.stack = `Error: constraint failed\n    at storeItem (${inlined}:1:7)\n    at ${inlined}:2:7`;
  const lines: string[] = [];
  createLog({}, { write: (line) => lines.push(line) }).error({ err });
  const stack = "Error: constraint failed\n    at storeItem (data::1:7)\n    at data::2:7";
  expect(JSON.parse(lines.join(""))).toMatchObject({ err: { stack } });
});
