import { spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { freePort } from "@petstore/test-kit/free-port";
import { petstoreServer } from "@petstore/test-kit/processes";
import { expect, onTestFinished } from "vitest";
import { withoutWaiting } from "../../src/monitoring/log.ts";
import { test } from "../support/petstore.ts";

/** Enough lines to fill every buffer between the server and a reader that has stopped. */
const manyRequests = 3_000;

test.for<[why: string, stdio: () => StdioOptions, requests: number]>([
  ["the disk is full", () => ["ignore", openSync("/dev/full", "w"), "pipe"], 100],
  ["it is not read", () => ["ignore", "pipe", "pipe"], manyRequests],
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
  await expect.poll(statusOf).toBe(401); // the log cannot show when it accepts connections
  for (let sent = 0; sent < requests; sent += 50) {
    expect(new Set(await Promise.all(Array.from({ length: 50 }, statusOf)))).toEqual(new Set([401]));
  }
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("lines that are logged together are written together, as many as a pipe accepts at once, one piece after the other", async () => {
  const written: string[] = [];
  const takers: (() => void)[] = [];
  const log = withoutWaiting({
    write(text, taken) {
      written.push(text);
      takers.push(taken);
    },
  });
  const long = `${"long".repeat(2_000)}\n`;
  const lines = [...Array.from({ length: 100 }, (_, index) => `${index} ${"ü".repeat(index)}\n`), long, "last\n"];
  for (const line of lines) log.write(line);
  while (written.at(-1) !== "last\n") {
    const before = written.length;
    takers.at(-1)?.();
    await expect.poll(() => written.length).toBe(before + 1);
  }
  expect(written.join("")).toBe(lines.join(""));
  expect(written.filter((each) => Buffer.byteLength(each) > 4_096)).toEqual([long]);
  expect(written.length).toBeLessThan(8);
  log.write("when the process ends\n");
  log.flush();
  expect(written.at(-1)).toBe("when the process ends\n");
});
