import { chownSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import { startServer } from "@petstore/server/start-server";
import { serve, start, temporaryDirectory, type Serving } from "@petstore/test-kit/processes";
import { describe, expect, test, vi } from "vitest";
import { startRecorder, unusedAddress } from "./other-servers.ts";
import { connected, petstore, type RunOptions } from "./petstore.ts";
import { leaveDevelopmentFiles, listedSettings, longKey, saveConfig } from "./saved-settings.ts";

vi.setConfig({ testTimeout: 60_000 });

describe("in the directory of a development server", () => {
  test("0: and below it, petstore needs no settings at all", async () => {
    using directory = temporaryDirectory();
    await using server = await serveDevelopment(directory.path);
    const below = join(directory.path, "apps", "cli");
    mkdirSync(below, { recursive: true });
    for (const place of [directory.path, below]) {
      const { exitCode, stdout, stderr } = await petstore(["pets", "list", "-o", "json"], { directory: place });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(JSON.parse(stdout)).toHaveLength(20);
      expect(await listedSettings({ directory: place })).toMatchObject({
        profile: ["default", "default"],
        "base-url": [server.url, "development server"],
        "api-key": [expect.stringMatching(/^pst_test_…\w{4}$/), "development server"],
      });
    }
    expect((await petstore(["doctor"], { directory: below })).exitCode).toBe(0);
  });

  test("0: the nearest one counts", async () => {
    using directory = temporaryDirectory();
    const inner = join(directory.path, "inner");
    mkdirSync(inner);
    await using outerServer = await serveDevelopment(directory.path);
    await using innerServer = await serveDevelopment(inner);
    const listed = [await listedSettings({ directory: directory.path }), await listedSettings({ directory: inner })];
    expect(listed.map((settings) => settings["base-url"]?.[0])).toEqual([outerServer.url, innerServer.url]);
  });

  test("4: but not beside it or above it", async () => {
    using directory = temporaryDirectory();
    const [one, two] = [join(directory.path, "one"), join(directory.path, "two")];
    for (const path of [one, two]) mkdirSync(path);
    await using server = await serveDevelopment(one);
    for (const place of [directory.path, two]) {
      const { exitCode, stderr } = await petstore(["pets", "list"], { directory: place });
      expect(exitCode).toBe(4);
      expect(stderr).toContain("There is no API key for http://127.0.0.1:8080/v1");
      expect(stderr).not.toContain(server.url);
    }
  });

  test("0: it goes on where it was after the server starts again, at another port", async () => {
    using directory = temporaryDirectory();
    const first = await serveDevelopment(directory.path);
    await first.stop();
    await using second = await serveDevelopment(directory.path);
    expect(await petstore(["pets", "list"], { directory: directory.path })).toMatchObject({ exitCode: 0, stderr: "" });
    expect((await petstore(["config", "get", "base-url"], { directory: directory.path })).stdout).toBe(
      `${second.url}\n`,
    );
  });

  test("9: says that the server is not running", async () => {
    using directory = temporaryDirectory();
    const url = await unusedAddress();
    leaveDevelopmentFiles(directory.path, url, longKey("development"), await endedProcess());
    expect(await petstore(["pets", "list"], { directory: directory.path })).toMatchObject({
      exitCode: 9,
      stdout: "",
      stderr: `error: The development server at ${url} is not running\nhint: Start it with: npx pnpm@12 start\n`,
    });
  });
});

describe("the key of a development server goes to its process alone", () => {
  test("9: after it was killed, another listener at its port gets nothing", async () => {
    using directory = temporaryDirectory();
    await using server = await serveDevelopment(directory.path);
    server.kill("SIGKILL");
    await server.ended;
    await using other = await startRecorder(
      (_request, response) => response.end("[]"),
      Number(new URL(server.url).port),
    );
    const { exitCode, stderr } = await petstore(["pets", "list"], { directory: directory.path });
    expect(other.received).toEqual([]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 9, stderr: expect.stringContaining("is not running") as string });
  });

  test.each(["", "0", "-1", "process"])("9: without the id of a process: %j", async (processId) => {
    using directory = temporaryDirectory();
    await using other = await startRecorder((_request, response) => response.end("[]"));
    leaveDevelopmentFiles(directory.path, other.url, longKey("development"), processId);
    expect((await petstore(["pets", "list"], { directory: directory.path })).exitCode).toBe(9);
    expect(other.received).toEqual([]);
  });

  test("9: with an id from before the machine started: another process may have it now", async () => {
    using directory = temporaryDirectory();
    await using other = await startRecorder((_request, response) => response.end("[]"));
    leaveDevelopmentFiles(directory.path, other.url, longKey("development"));
    const before = new Date(Date.now() - (uptime() + 60) * 1000);
    utimesSync(join(directory.path, ".data", "development.url"), before, before);
    expect((await petstore(["pets", "list"], { directory: directory.path })).exitCode).toBe(9);
    expect(other.received).toEqual([]);
  });
});

/** The id of a process that is no more. */
async function endedProcess(): Promise<number> {
  const ended = start(process.execPath, ["-e", ""], { directory: "/", environment: {} });
  await ended.ended;
  return ended.pid;
}

describe("a development server is left alone", () => {
  test("0: when the environment names another one", async () => {
    using directory = temporaryDirectory();
    await using server = await serveDevelopment(directory.path);
    await using other = await startServer();
    const options: RunOptions = { directory: directory.path, environment: connected(other) };
    expect(await petstore(["pets", "list"], options)).toMatchObject({ exitCode: 0, stdout: "" });
    expect(JSON.stringify(await listedSettings(options))).not.toContain(server.url);
  });

  test.each<[who: string, args: (url: string) => string[], environment: (url: string) => Record<string, string>]>([
    ["a flag", (url) => ["--base-url", url], () => ({})],
    ["a variable", () => [], (url) => ({ PETSTORE_BASE_URL: url })],
  ])("4: when %s names another address, which does not get its key", async (_, args, environment) => {
    using directory = temporaryDirectory();
    leaveDevelopmentFiles(directory.path, "http://127.0.0.1:9/v1", longKey("development"));
    await using other = await startRecorder((_request, response) => response.end("[]"));
    const { exitCode, stderr } = await petstore(["pets", "list", ...args(other.url)], {
      directory: directory.path,
      environment: environment(other.url),
    });
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`There is no API key for ${other.url}`);
    expect(other.received).toEqual([]);
  });

  test("0: when the environment gives a key, which may be for elsewhere", async () => {
    using directory = temporaryDirectory();
    leaveDevelopmentFiles(directory.path, "http://127.0.0.1:9/v1", longKey("development"));
    const options: RunOptions = { directory: directory.path, environment: { PETSTORE_API_KEY: longKey("variable") } };
    expect(await listedSettings(options)).toMatchObject({
      "base-url": ["http://127.0.0.1:8080/v1", "default"],
      "api-key": ["pst_test_…able", "environment PETSTORE_API_KEY"],
    });
  });

  test("0: when the profile has an address", async () => {
    using directory = temporaryDirectory();
    leaveDevelopmentFiles(directory.path, "http://127.0.0.1:9/v1", longKey("development"));
    using home = temporaryDirectory();
    await using other = await startServer();
    saveConfig(home.path, { profiles: { default: { "base-url": other.url, "api-key": other.apiKey } } });
    const options: RunOptions = { home: home.path, directory: directory.path };
    expect(await petstore(["pets", "list"], options)).toMatchObject({ exitCode: 0, stdout: "" });
    expect(other.logs.length).toBeGreaterThan(0);
  });

  test("0: but not when the profile has other settings only, or the environment names its own address", async () => {
    using directory = temporaryDirectory();
    await using server = await serveDevelopment(directory.path);
    using home = temporaryDirectory();
    saveConfig(home.path, { profiles: { default: { timeout: "7s" } } });
    for (const environment of [{}, { PETSTORE_BASE_URL: `${server.url}/` }]) {
      const options: RunOptions = { home: home.path, directory: directory.path, environment };
      expect((await petstore(["pets", "list"], options)).exitCode).toBe(0);
    }
  });
});

describe("what is in .data is believed", () => {
  test.each(["http://127.0.0.1:9/v1", "http://127.255.1.2:9/v1", "http://[::1]:9/v1", "http://localhost:9/v1"])(
    "0: when it names this machine: %s",
    async (url) => {
      using directory = temporaryDirectory();
      leaveDevelopmentFiles(directory.path, url, longKey("development"));
      expect(await listedSettings({ directory: directory.path })).toMatchObject({
        "base-url": [url, "development server"],
        "api-key": ["pst_test_…ment", "development server"],
      });
    },
  );

  test.each([
    "https://petstore.example/v1",
    "http://192.168.0.1:8080/v1",
    "http://0.0.0.0:8080/v1",
    "http://127.0.0.1.example/v1",
    "http://localhost.example/v1",
    "http://localhost@petstore.example/v1",
    "http://127.0.0.1:8080@petstore.example/v1",
    "http://petstore.example/v1#localhost",
    "http://petstore.example\\@127.0.0.1/v1",
    "http://[::ffff:192.168.0.1]/v1",
    "127.0.0.1:8080/v1",
    "",
  ])("4: not when it names another one, or none: %s", async (url) => {
    using directory = temporaryDirectory();
    leaveDevelopmentFiles(directory.path, url, longKey("development"));
    await expectDisbelieved(directory.path);
  });

  test.each([
    ["url", (directory: string) => rmSync(join(directory, ".data", "development.url"))],
    ["key", (directory: string) => rmSync(join(directory, ".data", "development.key"))],
    ["text in the key", (directory: string) => writeFileSync(join(directory, ".data", "development.key"), "")],
  ])("4: not when there is no %s", async (_, remove) => {
    using directory = temporaryDirectory();
    leaveDevelopmentFiles(directory.path, "http://127.0.0.1:9/v1", longKey("development"));
    remove(directory.path);
    await expectDisbelieved(directory.path);
  });

  test.each(["development.url", "development.key"])(
    "4: not when %s is a link, which could name any file",
    async (name) => {
      using directory = temporaryDirectory();
      leaveDevelopmentFiles(directory.path, "http://127.0.0.1:9/v1", longKey("development"));
      const path = join(directory.path, ".data", name);
      renameSync(path, join(directory.path, "elsewhere"));
      symlinkSync("../elsewhere", path);
      await expectDisbelieved(directory.path);
    },
  );

  // Only root can give files away.
  const ownedByOthers = process.getuid?.() === 0 ? ["development.url", "development.key"] : [];
  test.each(ownedByOthers)("4: not when %s is another user's", async (name) => {
    using directory = temporaryDirectory();
    leaveDevelopmentFiles(directory.path, "http://127.0.0.1:9/v1", longKey("development"));
    const nobody = 65_534;
    chownSync(join(directory.path, ".data", name), nobody, nobody);
    await expectDisbelieved(directory.path);
  });
});

async function expectDisbelieved(directory: string): Promise<void> {
  const { exitCode, stderr } = await petstore(["pets", "list"], { directory });
  expect(exitCode).toBe(4);
  expect(stderr).toContain("There is no API key for http://127.0.0.1:8080/v1\n");
}

function serveDevelopment(directory: string): Promise<Serving> {
  return serve(directory, { args: ["--dev"], environment: { PETSTORE_PORT: "0" } });
}
