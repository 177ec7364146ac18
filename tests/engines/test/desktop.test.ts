import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { openDesktop, programsOf } from "@petstore/test-kit/desktop";
import { hasRuntimes } from "@petstore/test-kit/runtimes";
import { describe, expect, onTestFinished, test } from "vitest";
import { engines } from "./engines.ts";

/**
 * A stand-in for the message bus of a desktop, where programs without an address look for one.
 * Counts those that do.
 */
async function listenLikeBus(runtimeDirectory: string) {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.destroy();
  });
  await once(server.listen(join(runtimeDirectory, "bus")), "listening");
  return {
    connections: () => count,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** What is mounted in a directory, as lines of proc_pid_mountinfo(5). */
const mountsIn = (directory: string) =>
  readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .filter((line) => line.includes(directory));

describe.each(engines)("%s", (_, openTab) => {
  test("reaches for no message bus, and starts no program that outlives it or mounts a file system", async () => {
    const desktop = openDesktop();
    await using bus = await listenLikeBus(desktop.directory);
    {
      await using tab = await openTab(desktop);
      await tab.open("data:text/html,<input>");
      await tab.fill("input", "Bella");
      expect(programsOf(desktop.directory)).not.toEqual([]);
      expect(mountsIn(desktop.directory)).toEqual([]);
    }
    expect(bus.connections()).toBe(0);
    expect(programsOf(desktop.directory)).toEqual([]);
    expect(mountsIn(desktop.directory)).toEqual([]);
    expect(existsSync(desktop.directory)).toBe(false);
  });
});

test.runIf(hasRuntimes)(
  "a desktop ends a program that has left the process group of its parent",
  async () => {
    const desktop = openDesktop();
    const { directory: cwd, environment: env } = desktop;
    const daemon = spawn(process.execPath, ["--eval", "setInterval(() => {}, 60_000)"], {
      cwd,
      env,
      detached: true,
    });
    const ended = once(daemon, "close");
    onTestFinished(() => void daemon.kill("SIGKILL"));
    await once(daemon, "spawn");
    await desktop[Symbol.asyncDispose]();
    expect(programsOf(desktop.directory)).toEqual([]);
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect(existsSync(desktop.directory)).toBe(false);
  },
);
