import {
  chownSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import { serve, type Serving } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { test } from "../support/fixtures.ts";
import { listNothing, startRecorder } from "../support/other-servers.ts";
import { petstore, petstoreProcess } from "../support/petstore.ts";
import { leaveDevelopmentFiles, saveLogin } from "../support/saved-settings.ts";

function serveDevelopment(directory: string): Promise<Serving> {
  return serve(directory, { args: ["--dev"], environment: { PETSTORE_PORT: "0" } });
}

/** Nothing listens at `url`. */
async function expectUsed(directory: string, url: string): Promise<void> {
  const { exitCode, stderr } = await petstore("pets list --retries 0", { directory });
  expect(exitCode).toBe(9);
  expect(stderr).toContain(`The address ${url} comes from: development server`);
}

describe("in the directory of a development server", () => {
  test("0: and below it, petstore needs no settings at all", async ({ directory }) => {
    await using server = await serveDevelopment(directory);
    const below = join(directory, "apps", "cli");
    mkdirSync(below, { recursive: true });
    for (const place of [directory, below]) {
      const { exitCode, stdout, stderr } = await petstore("pets list -o json", {
        directory: place,
      });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(JSON.parse(stdout)).toHaveLength(20);
      const status = await petstore("auth status", { directory: place });
      expect(JSON.parse(status.stdout)).toEqual({
        baseUrl: server.url,
        apiKey: expect.stringMatching(/^pst_test_…\w{4}$/) as string,
        origin: "development server",
      });
    }
  });

  test("0: the nearest server is used, and none next to the directory or below it", async ({
    directory,
  }) => {
    const [inner, other] = [join(directory, "one", "inner"), join(directory, "two")];
    for (const path of [inner, other]) mkdirSync(path, { recursive: true });
    leaveDevelopmentFiles(join(directory, "one"), "http://127.0.0.1:7/v1");
    leaveDevelopmentFiles(inner, "http://127.0.0.1:8/v1");
    await expectUsed(inner, "http://127.0.0.1:8/v1");
    await expectUsed(join(directory, "one"), "http://127.0.0.1:7/v1");
    for (const place of [directory, other]) await expectIgnored(place);
  });
});

describe("the key of a development server is sent only to its process", () => {
  test("9: after it was killed, another listener at its port gets nothing", async ({
    directory,
  }) => {
    await using server = await serveDevelopment(directory);
    server.kill("SIGKILL");
    await server.ended;
    await using other = await startRecorder(listNothing, Number(new URL(server.url).port));
    const stderr = `error: The development server at ${server.url} is not running\nhint: Start it with: npx pnpm@12 start\n`;
    expect(await petstore("pets list", { directory })).toMatchObject({
      exitCode: 9,
      stdout: "",
      stderr,
    });
    expect(other.received).toEqual([]);
  });

  test.for(["-1", "process", "that of another process, before the machine was started again"])(
    "9: not without the id of its process: %s",
    async (processId, { directory }) => {
      await using other = await startRecorder(listNothing);
      const isOld = processId.startsWith("that");
      leaveDevelopmentFiles(directory, other.url, isOld ? process.pid : processId);
      const before = new Date(Date.now() - (uptime() + 60) * 1000);
      if (isOld) utimesSync(join(directory, ".data", "development.url"), before, before);
      expect((await petstoreProcess("pets list", { directory })).exitCode).toBe(9);
      expect(other.received).toEqual([]);
    },
  );
});

describe("a development server is not used", () => {
  test("4: when a flag names another address, without its key", async ({ directory }) => {
    leaveDevelopmentFiles(directory);
    await using other = await startRecorder(listNothing);
    const { exitCode, stderr } = await petstore(`pets list --base-url ${other.url}`, { directory });
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`There is no API key for ${other.url}`);
    expect(other.received).toEqual([]);
  });

  test("0: unless no address is saved, or a variable names its address", async ({
    directory,
    home,
  }) => {
    await using server = await startRecorder(listNothing);
    leaveDevelopmentFiles(directory, server.url);
    saveLogin(home, {});
    for (const environment of [{}, { PETSTORE_BASE_URL: `${server.url}/` }]) {
      expect((await petstore("pets list", { home, directory, environment })).exitCode).toBe(0);
    }
  });
});

describe(".data is trusted", () => {
  test.for([
    ["http://127.255.1.2:9/v1", expectUsed],
    ["http://[::1]:9/v1", expectUsed],
    ["http://localhost:9/v1", expectUsed],
    ["http://192.168.0.1:8080/v1", expectIgnored],
    ["http://localhost.example/v1", expectIgnored],
    ["http://localhost@petstore.example/v1", expectIgnored],
    ["", expectIgnored],
  ] as const)(
    "0: when it names this machine, and not otherwise: %s",
    async ([url, expectIt], { directory }) => {
      leaveDevelopmentFiles(directory, url);
      await expectIt(directory, url);
    },
  );

  // Only root can give files away.
  const giveAway = { "is another user's": (path: string) => chownSync(path, 65_534, 65_534) };
  const changes: Record<string, (path: string) => void> = {
    "is not there": (path) => rmSync(path),
    "is empty": (path) => writeFileSync(path, ""),
    "is a link, which could name any file": (path) => {
      renameSync(path, `${path}.elsewhere`);
      symlinkSync(`${path}.elsewhere`, path);
    },
    ...(process.getuid?.() === 0 && giveAway),
  };
  test.for(Object.entries(changes))(
    "4: not when one of its files %s",
    async ([, change], { directory }) => {
      for (const file of ["url", "key"]) {
        rmSync(join(directory, ".data"), { recursive: true, force: true });
        leaveDevelopmentFiles(directory);
        change(join(directory, ".data", `development.${file}`));
        await expectIgnored(directory);
      }
    },
  );
});

/** Asserts that a directory has no settings. */
async function expectIgnored(directory: string): Promise<void> {
  const { exitCode, stderr } = await petstore("pets list", { directory });
  expect(exitCode).toBe(4);
  expect(stderr).toContain("There is no API key for http://127.0.0.1:8080/v1\n");
}
