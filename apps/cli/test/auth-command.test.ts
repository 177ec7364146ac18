import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { eventually, startServer } from "@petstore/server/start-server";
import { start, temporaryDirectory, type Ended, type Running } from "@petstore/test-kit/processes";
import { describe, expect, test, vi } from "vitest";
import { startRecorder, unusedAddress } from "./other-servers.ts";
import { binary, connected, petstore, type RunOptions } from "./petstore.ts";
import { configFile, longKey, saveConfig, savedConfig } from "./saved-settings.ts";

vi.setConfig({ testTimeout: 60_000 });

describe("login", () => {
  test("0: the key on standard input is saved with its address, for the owner only, beside what else is saved", async () => {
    using home = temporaryDirectory();
    await using server = await startServer();
    saveConfig(home.path, { profiles: { default: { timeout: "7s" }, other: { retries: "1" } } });
    const ended = await logIn(home.path, server.url, `${server.apiKey}\n`);
    expect(ended).toEqual({
      exitCode: 0,
      signal: null,
      stdout: "",
      stderr: `note: the key is saved in ${configFile(home.path)}, as the profile default for ${server.url}\n`,
    });
    const saved = { timeout: "7s", "base-url": server.url, "api-key": server.apiKey };
    expect(savedConfig(home.path)).toEqual({ profiles: { default: saved, other: { retries: "1" } } });
    expect(statSync(configFile(home.path)).mode & 0o777).toBe(0o600);
    expect(await petstore(["pets", "list"], { home: home.path })).toMatchObject({ exitCode: 0, stdout: "" });
  });

  test.each<[form: string, input: (key: string) => string]>([
    ["without a line end", (key) => key],
    ["with the line end of Windows", (key) => `${key}\r\n`],
    ["with blanks around it", (key) => `  ${key}\t\n`],
    ["with other lines after it", (key) => `${key}\nuser: somebody\n`],
  ])("0: the key is the first line, %s", async (_, input) => {
    using home = temporaryDirectory();
    await using server = await startServer();
    expect((await logIn(home.path, server.url, input(server.apiKey))).exitCode).toBe(0);
    expect(savedConfig(home.path)?.profiles?.["default"]?.["api-key"]).toBe(server.apiKey);
  });

  test("0: standard input need not end", async () => {
    using home = temporaryDirectory();
    await using server = await startServer();
    await using running = logInWithOpenInput(home.path, server.url, server.apiKey);
    expect(await running.ended).toMatchObject({ exitCode: 0 });
    expect(savedConfig(home.path)?.profiles?.["default"]?.["api-key"]).toBe(server.apiKey);
  });

  test.each([
    [130, "SIGINT", "interrupted"],
    [143, "SIGTERM", "terminated"],
  ] as const)(
    "%i: %s while it waits for standard input ends it, and nothing is saved",
    async (exitCode, signal, message) => {
      using home = temporaryDirectory();
      // It says so when it has started.
      await using running = logInWithOpenInput(home.path, "http://192.0.2.1/v1");
      await eventually(() => running.stderr().includes("not encrypted"));
      running.kill(signal);
      const { stderr, ...ended } = await running.ended;
      expect(ended).toEqual({ exitCode, signal: null, stdout: "" });
      expect(stderr).toMatch(new RegExp(`^note: .*\\nerror: ${message}\\n$`));
      expect(readdirSync(home.path)).toEqual(["input"]);
    },
  );

  test.each([["read"], ["write"], ["orders"]] as const)(
    "0: a key with the scope %s alone is accepted",
    async (scope) => {
      using home = temporaryDirectory();
      await using server = await startServer({ scopes: [scope] });
      expect((await logIn(home.path, server.url, server.apiKey)).exitCode).toBe(0);
      expect(savedConfig(home.path)?.profiles?.["default"]?.["api-key"]).toBe(server.apiKey);
    },
  );

  test("0: takes the place of the key and the address of its profile, and of no other", async () => {
    using home = temporaryDirectory();
    await using first = await startServer();
    await using second = await startServer();
    await logIn(home.path, first.url, first.apiKey);
    await logIn(home.path, second.url, second.apiKey, { PETSTORE_PROFILE: "constructor" });
    await logIn(home.path, second.url, second.apiKey);
    await logIn(home.path, first.url, first.apiKey, { PETSTORE_PROFILE: "constructor" });
    expect(savedConfig(home.path)).toEqual({
      profiles: {
        default: { "base-url": second.url, "api-key": second.apiKey },
        constructor: { "base-url": first.url, "api-key": first.apiKey },
      },
    });
  });

  test("0: says when a variable goes before the key", async () => {
    using home = temporaryDirectory();
    await using server = await startServer();
    const { exitCode, stderr } = await logIn(home.path, server.url, server.apiKey, {
      PETSTORE_API_KEY: longKey("other"),
    });
    expect(exitCode).toBe(0);
    expect(stderr).toContain("\nnote: PETSTORE_API_KEY is set and goes before the saved key\n");
    expect(savedConfig(home.path)?.profiles?.["default"]?.["api-key"]).toBe(server.apiKey);
  });

  test.each([
    ["nothing", "", "No API key was given"],
    ["an empty line", "\n", "No API key was given"],
    [
      "several words",
      "pst_test_one pst_test_two",
      "That is not an API key: it has spaces or characters that no key has",
    ],
    [
      "characters that no key has",
      "pst_test_ключ",
      "That is not an API key: it has spaces or characters that no key has",
    ],
    [
      "a control character",
      "pst_test_\u0007one",
      "That is not an API key: it has spaces or characters that no key has",
    ],
  ])("2: %s is no key, and is neither sent nor repeated", async (_, input, message) => {
    using home = temporaryDirectory();
    await using server = await startRecorder((_request, response) => response.end("[]"));
    expect(await logIn(home.path, server.url, input)).toEqual({
      exitCode: 2,
      signal: null,
      stdout: "",
      stderr: `error: ${message}\nhint: Type it at the prompt, or send it to standard input: petstore auth login < FILE\n`,
    });
    expect(server.received).toEqual([]);
    expect(readdirSync(home.path)).toEqual([]);
  });
});

describe("login saves nothing, and leaves what is saved,", () => {
  test("4: when the service does not accept the key", async () => {
    await using server = await startServer();
    const ended = await expectNothingSaved(server.url, longKey("wrong"));
    expect(ended).toEqual({
      exitCode: 4,
      signal: null,
      stdout: "",
      stderr: expect.stringMatching(
        /^error: http:\S+ does not accept this key\. Nothing is saved\nhint: Was all of it copied\? .*\nrequest id: \S+\n$/,
      ),
    });
  });

  test("9: when nothing listens there", async () => {
    const { exitCode, stderr } = await expectNothingSaved(await unusedAddress(), longKey("any"));
    expect(exitCode).toBe(9);
    expect(stderr).toContain("hint: Nothing listens there: is the server running?");
  });

  test("9: when nobody answers in time", async () => {
    await using silent = await startRecorder(() => {});
    expect((await expectNothingSaved(silent.url, longKey("any"), { PETSTORE_TIMEOUT: "100ms" })).exitCode).toBe(9);
  });

  test.each([
    [8, "the service fails", 500],
    [5, "there is no such address", 404],
    [9, "the address leads elsewhere", 302],
    [8, "what answers is not the service", 200],
  ])("%i: when %s", async (exitCode, _, status) => {
    await using other = await startRecorder((_request, response) =>
      response.writeHead(status, { "Content-Type": "text/html", Location: "/login" }).end("<p>Welcome</p>"),
    );
    expect((await expectNothingSaved(other.url, longKey("any"))).exitCode).toBe(exitCode);
  });

  test("9: in plain text over a network, which it says before anything is sent", async () => {
    const { exitCode, stderr } = await expectNothingSaved("http://192.0.2.1/v1", longKey("any"), {
      PETSTORE_TIMEOUT: "100ms",
    });
    expect(exitCode).toBe(9);
    expect(stderr).toMatch(
      /^note: http:\/\/192\.0\.2\.1\/v1 is not encrypted: others on the network can read the API key\n/,
    );
  });
});

describe("logout", () => {
  test("0: removes the key of the profile in use, and nothing else", async () => {
    using home = temporaryDirectory();
    const login = { "base-url": "https://petstore.example/v1", "api-key": longKey("saved") };
    saveConfig(home.path, { profile: "one", profiles: { one: { ...login, timeout: "7s" }, two: login } });
    expect(await petstore(["auth", "logout"], { home: home.path })).toEqual({
      exitCode: 0,
      signal: null,
      stdout: "",
      stderr: `note: the key is removed from ${configFile(home.path)}. If others may know it, have the operator revoke it\n`,
    });
    expect(savedConfig(home.path)).toEqual({
      profile: "one",
      profiles: { one: { "base-url": "https://petstore.example/v1", timeout: "7s" }, two: login },
    });
    expect(readFileSync(configFile(home.path), "utf8").split(longKey("saved"))).toHaveLength(2);
    expect((await petstore(["pets", "list"], { home: home.path })).exitCode).toBe(4);
  });

  test.each(["default", "constructor"])(
    "0: of the profile %s, without a key, says so and writes nothing",
    async (profile) => {
      using home = temporaryDirectory();
      const ended = await petstore(["auth", "logout", "--profile", profile], { home: home.path });
      expect(ended).toEqual({
        exitCode: 0,
        signal: null,
        stdout: "",
        stderr: `note: the profile ${profile} has no key\n`,
      });
      expect(readdirSync(home.path)).toEqual([]);
    },
  );
});

describe("status", () => {
  test("0: tells which key goes where, masked", async () => {
    using home = temporaryDirectory();
    await using server = await startServer();
    await logIn(home.path, server.url, server.apiKey);
    const { exitCode, stdout, stderr } = await petstore(["auth", "status", "-o", "json"], { home: home.path });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      profile: "default",
      baseUrl: server.url,
      apiKey: `pst_test_…${server.apiKey.slice(-4)}`,
      origin: "profile default",
    });
  });

  test("0: also with a key that may not list animals", async () => {
    await using server = await startServer({ scopes: ["orders"] });
    const { exitCode, stdout } = await petstore(["auth", "status"], { environment: connected(server) });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ origin: "environment PETSTORE_API_KEY" });
  });

  test("4: says where a key comes from that is not accepted", async () => {
    await using server = await startServer();
    const environment = { ...connected(server), PETSTORE_API_KEY: longKey("wrong") };
    const { exitCode, stdout, stderr } = await petstore(["auth", "status"], { environment });
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: "" });
    expect(stderr).toContain("\nhint: The API key comes from: environment PETSTORE_API_KEY.");
  });

  test("4: says how to save a key when there is none", async () => {
    expect(await petstore(["auth", "status"])).toEqual({
      exitCode: 4,
      signal: null,
      stdout: "",
      stderr:
        "error: There is no API key for http://127.0.0.1:8080/v1\nhint: Save one with petstore auth login, or set PETSTORE_API_KEY\n",
    });
  });

  test("9: says when nothing listens there", async () => {
    const environment = {
      PETSTORE_BASE_URL: await unusedAddress(),
      PETSTORE_API_KEY: longKey("any"),
      PETSTORE_RETRIES: "0",
    };
    expect(await petstore(["auth", "status"], { environment })).toMatchObject({ exitCode: 9, stdout: "" });
  });
});

function logIn(
  home: string,
  baseUrl: string,
  input: string,
  environment: RunOptions["environment"] = {},
): Promise<Ended> {
  return petstore(["auth", "login", "--base-url", baseUrl], { home, input, environment });
}

/** Logs in where a key is saved already, and expects that it is the one which is saved afterwards. */
async function expectNothingSaved(
  baseUrl: string,
  input: string,
  environment: RunOptions["environment"] = {},
): Promise<Ended> {
  using home = temporaryDirectory();
  const path = saveConfig(home.path, { profiles: { default: { "base-url": baseUrl, "api-key": longKey("saved") } } });
  const before = readFileSync(path, "utf8");
  const ended = await logIn(home.path, baseUrl, input, { PETSTORE_RETRIES: "0", ...environment });
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(ended.stdout + ended.stderr).not.toContain(input);
  return ended;
}

/** Logs in with a standard input that has this key, if any, and then neither more nor an end. */
function logInWithOpenInput(home: string, baseUrl: string, apiKey = ""): Running {
  const script = 'mkfifo input; exec 0<>input; [ -z "$KEY" ] || echo "$KEY" >&0; exec "$@"';
  const command = [process.execPath, binary, "auth", "login", "--base-url", baseUrl];
  return start("bash", ["-c", script, "bash", ...command], {
    directory: home,
    environment: { PATH: process.env["PATH"] ?? "", HOME: home, XDG_CONFIG_HOME: join(home, "config"), KEY: apiKey },
  });
}
