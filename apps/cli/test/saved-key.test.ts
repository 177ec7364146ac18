import { spawnSync } from "node:child_process";
import type { RequestListener } from "node:http";
import { startServer } from "@petstore/server/start-server";
import { temporaryDirectory, type Ended } from "@petstore/test-kit/processes";
import { describe, expect, test, vi } from "vitest";
import { startRecorder, unusedAddress, type Received } from "./other-servers.ts";
import { petstore, startPetstore } from "./petstore.ts";
import { leaveDevelopmentFiles, longKey, saveConfig, savedConfig } from "./saved-settings.ts";

vi.setConfig({ testTimeout: 60_000 });

/** An empty catalogue that knows every key. */
const listNothing: RequestListener = (_request, response) =>
  response.setHeader("Content-Type", "application/json").end("[]");

const commands = [["pets", "list"], ["auth", "status"], ["doctor"], ["orders", "list"], ["pets", "get", "1"]];

describe("a saved key goes to its address only", () => {
  test("0: there, every command sends it", async () => {
    using home = temporaryDirectory();
    await using server = await startRecorder(listNothing);
    await logIn(home.path, server.url, longKey("saved"));
    await Promise.all(commands.map((command) => petstore(command, { home: home.path })));
    expect(server.received.length).toBeGreaterThan(commands.length);
    expect(authorizations(server.received)).toEqual([`Bearer ${longKey("saved")}`]);
  });

  test.each<[who: string, args: (url: string) => string[], environment: (url: string) => Record<string, string>]>([
    ["a flag", (url) => ["--base-url", url], () => ({})],
    ["a variable", () => [], (url) => ({ PETSTORE_BASE_URL: url })],
    ["another profile", () => ["--profile", "other"], () => ({})],
  ])("4: when %s names another one, nothing is sent there", async (_, args, environment) => {
    using home = temporaryDirectory();
    await using first = await startServer();
    await using second = await startRecorder(listNothing);
    await logIn(home.path, first.url, first.apiKey);
    const profiles = { ...savedConfig(home.path)?.profiles, other: { "base-url": second.url } };
    saveConfig(home.path, { profiles });
    const options = { home: home.path, environment: environment(second.url) };
    const all = await Promise.all(commands.map((command) => petstore([...command, ...args(second.url)], options)));
    for (const { exitCode, stdout, stderr } of all) {
      expect(exitCode).toBe(4);
      expect(stdout + stderr).toContain(`There is no API key for ${second.url}`);
    }
    expect(second.received).toEqual([]);
  });

  test("4: addresses that only look like it are others", async () => {
    using home = temporaryDirectory();
    await using server = await startRecorder(listNothing);
    await logIn(home.path, server.url, longKey("saved"));
    server.received.length = 0;
    const { port } = new URL(server.url);
    const others = [
      `http://localhost:${port}/v1`,
      `http://127.0.0.2:${port}/v1`,
      `http://127.0.0.1:${port}/other/v1`,
      `http://127.0.0.1:${port}//v1`,
      `http://127.0.0.1:${port}/V1/../v1/v1`,
      `https://127.0.0.1:${port}/v1`,
    ];
    const all = others.map((other) => petstore(["pets", "list", "--base-url", other], { home: home.path }));
    expect((await Promise.all(all)).map(({ exitCode }) => exitCode)).toEqual(others.map(() => 4));
    expect(server.received).toEqual([]);
  });

  test("0: other spellings of it are the same", async () => {
    using home = temporaryDirectory();
    await using server = await startServer();
    await logIn(home.path, server.url, server.apiKey);
    for (const url of [`${server.url}/`, server.url.replace("/v1", "/./v1")]) {
      expect((await petstore(["pets", "list", "--base-url", url], { home: home.path })).exitCode).toBe(0);
    }
  });

  test("0: another address gets the key that the environment gives, and a login there the new key", async () => {
    using home = temporaryDirectory();
    await using first = await startServer();
    await using second = await startRecorder(listNothing);
    await logIn(home.path, first.url, first.apiKey);
    const environment = { PETSTORE_API_KEY: longKey("variable") };
    const listed = await petstore(["pets", "list", "--base-url", second.url], { home: home.path, environment });
    expect(listed.exitCode).toBe(0);
    expect(authorizations(second.received)).toEqual([`Bearer ${longKey("variable")}`]);

    second.received.length = 0;
    await logIn(home.path, second.url, longKey("new"));
    expect(authorizations(second.received)).toEqual([`Bearer ${longKey("new")}`]);
  });

  test("9: it does not follow a redirect", async () => {
    using home = temporaryDirectory();
    await using second = await startRecorder(listNothing);
    await using first = await startRecorder((_request, response) =>
      response.writeHead(307, { Location: `${second.url}/pets` }).end(),
    );
    saveConfig(home.path, { profiles: { default: { "base-url": first.url, "api-key": longKey("saved") } } });
    expect((await petstore(["pets", "list", "--retries", "0"], { home: home.path })).exitCode).toBe(9);
    expect(first.received).toHaveLength(1);
    expect(second.received).toEqual([]);
  });

  test("0: a development server around the working directory gets its own key, and not the saved one", async () => {
    using home = temporaryDirectory();
    await using second = await startRecorder(listNothing);
    leaveDevelopmentFiles(home.path, second.url, longKey("development"));
    saveConfig(home.path, { profiles: { default: { "api-key": longKey("saved") } } });
    expect((await petstore(["pets", "list"], { home: home.path })).exitCode).toBe(0);
    expect(authorizations(second.received)).toEqual([`Bearer ${longKey("development")}`]);
    const elsewhere = await petstore(["pets", "list", "--base-url", await unusedAddress()], { home: home.path });
    expect(elsewhere.exitCode).toBe(4);
  });
});

describe("a key is nowhere to be seen", () => {
  const apiKey = longKey("secret");

  test.each([
    [0, "that is accepted", 200, ""],
    [4, "that is not accepted", 401, "invalid_api_key"],
    [8, "that meets a broken server", 500, "internal_error"],
  ])("%i: one %s is in no arguments of a process, and in no output", async (exitCode, _, status, code) => {
    using home = temporaryDirectory();
    const processes: string[] = [];
    await using server = await startRecorder((_request, response) => {
      // While the program waits for its answer.
      processes.push(spawnSync("ps", ["-A", "-ww", "-o", "args="], { encoding: "utf8" }).stdout);
      const body = status === 200 ? "[]" : JSON.stringify({ code, message: "No", status });
      response.writeHead(status, { "Content-Type": "application/json" }).end(body);
    });
    const flags = ["--retries", "1", "--verbose"];
    const login = await logIn(home.path, server.url, apiKey, [...flags, "-o", "json"]);
    expect(login.exitCode).toBe(exitCode);
    saveConfig(home.path, { profiles: { default: { "base-url": server.url, "api-key": apiKey } } });
    const lines = commands.flatMap((command) =>
      ["table", "json"].map((format) => [...command, ...flags, "-o", format]),
    );
    const outputs = await Promise.all(lines.map((line) => petstore(line, { home: home.path })));
    expect(authorizations(server.received)).toEqual([`Bearer ${apiKey}`]);
    expect(processes[0]).toContain("auth login");
    expect(processes.join("")).not.toContain(apiKey);
    for (const { stdout, stderr } of [login, ...outputs]) {
      expect(stderr).toMatch(/^> \w+ http/m);
      expect(stdout + stderr).not.toContain(apiKey);
    }
  });

  test.each([
    ["nothing listens there", undefined],
    ["nobody answers in time", () => {}],
  ])("9: one is not in the errors when %s", async (_, answer) => {
    using home = temporaryDirectory();
    await using other = answer && (await startRecorder(answer));
    const flags = ["--retries", "1", "--timeout", "200ms", "--verbose"];
    const baseUrl = other?.url ?? (await unusedAddress());
    for (const format of ["table", "json"]) {
      const { exitCode, stdout, stderr } = await logIn(home.path, baseUrl, apiKey, [...flags, "-o", format]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 9, stdout: "" });
      expect(stderr).toContain(", attempt 2");
      expect(stderr).not.toContain(apiKey);
    }
  });

  test("2: one that is damaged is not repeated", async () => {
    using home = temporaryDirectory();
    saveConfig(home.path, { profiles: { default: { "base-url": "http://127.0.0.1:9/v1", "api-key": `${apiKey} ` } } });
    for (const command of [...commands, ["config", "list"], ["config", "get", "api-key"]]) {
      const { stdout, stderr } = await petstore([...command, "-v"], { home: home.path });
      expect(stdout + stderr).not.toContain(apiKey);
    }
    expect((await petstore(["pets", "list"], { home: home.path })).exitCode).toBe(2);
  });
});

async function logIn(home: string, baseUrl: string, apiKey: string, flags: readonly string[] = []): Promise<Ended> {
  await using running = startPetstore(["auth", "login", "--base-url", baseUrl, ...flags], { home, input: apiKey });
  return await running.ended;
}

/** What has been sent as `Authorization`, each once. */
function authorizations(received: readonly Received[]): (string | undefined)[] {
  return [...new Set(received.map(({ headers }) => headers.authorization))];
}
