import { spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { freePort } from "@petstore/test-kit/free-port";
import { petstoreServer, settings, temporaryDirectory } from "@petstore/test-kit/processes";
import { expect, onTestFinished, test, vi } from "vitest";

vi.setConfig({ testTimeout: 60_000 });

/** Enough lines to fill every buffer between the server and a reader that has fallen asleep. */
const manyRequests = 3_000;

test.each([
  ["the disk is full", (): StdioOptions => ["ignore", openSync("/dev/full", "w"), "pipe"], 100],
  ["nobody reads it", (): StdioOptions => ["ignore", "pipe", "pipe"], manyRequests],
])(
  "401 to everybody, and exit code 0 in the end, when the log cannot be written: %s",
  async (_why, stdio, requests) => {
    using directory = temporaryDirectory();
    const port = await freePort();
    const child = spawn(process.execPath, [petstoreServer, "serve"], {
      cwd: directory.path,
      env: { ...settings, PETSTORE_PORT: String(port) },
      stdio: stdio(),
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await accepting(port);
    for (let sent = 0; sent < requests; sent += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`http://127.0.0.1:${port}/v1/pets`)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
      await Promise.all(answers.map((answer) => answer.text()));
    }
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  },
);

/** Waits until a connection is accepted; the log cannot tell. */
async function accepting(port: number): Promise<void> {
  for (;;) {
    try {
      await (await fetch(`http://127.0.0.1:${port}/v1/pets`)).text();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
