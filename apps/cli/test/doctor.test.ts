import { chmodSync } from "node:fs";
import type { RequestListener } from "node:http";
import { startServer } from "@petstore/server/start-server";
import { temporaryDirectory } from "@petstore/test-kit/processes";
import { describe, expect, test, vi } from "vitest";
import { startRecorder, unusedAddress } from "./other-servers.ts";
import { connected, petstore, petstoreInTerminal, type RunOptions } from "./petstore.ts";
import { configFile, longKey, saveConfig } from "./saved-settings.ts";

vi.setConfig({ testTimeout: 60_000 });

interface Check {
  check: string;
  result: "ok" | "warning" | "failed" | "skipped";
  detail: string;
}

const ok = (check: string, detail: unknown = expect.any(String)) => ({ check, result: "ok", detail });

describe("healthy", () => {
  test("0: every check is ok, and says what it has found", async () => {
    using home = temporaryDirectory();
    await using server = await startServer();
    const profile = { "base-url": server.url, "api-key": server.apiKey, timeout: "7s" };
    saveConfig(home.path, { profiles: { default: profile } });
    const environment = { PETSTORE_RETRIES: "3" };
    expect(await diagnose({ home: home.path, environment })).toEqual({
      exitCode: 0,
      stderr: "",
      checks: [
        ok("program", expect.stringMatching(/^petstore \d+\.\d+\.\d+, Node v\d+\.\d+\.\d+, \w+$/)),
        ok("base-url", `${server.url}, from profile default`),
        ok("api-key", "from profile default"),
        ok("output", "json, from flag --output"),
        ok("timeout", "7s, from profile default"),
        ok("retries", "3, from environment PETSTORE_RETRIES"),
        ok("configuration file", configFile(home.path)),
        ok("service", expect.stringMatching(/^answers in \d+ ms$/)),
        ok("animals", "the key may read them"),
        ok("orders", "the key may read them"),
        ok("clock", expect.stringMatching(/^within \d s of the service's$/)),
      ],
    });
    expect(server.logs.filter(({ msg }) => msg === "request")).toHaveLength(2);
  });

  test("0: without a configuration file", async () => {
    using home = temporaryDirectory();
    await using server = await startServer();
    const { exitCode, checks } = await diagnose({ home: home.path, environment: connected(server) });
    expect(exitCode).toBe(0);
    expect(checks).toContainEqual(ok("configuration file", `${configFile(home.path)} (none yet)`));
  });

  test("0: it is a table at a terminal, with its results in colors", async () => {
    await using server = await startServer({ scopes: ["read"] });
    await using session = petstoreInTerminal(["doctor"], { environment: connected(server), columns: 120 });
    expect(await session.ended).toEqual({ exitCode: 0, signal: null });
    expect(session.screen()[0]).toMatch(/^CHECK +RESULT +DETAIL$/);
    expect(session.screen().map((line) => line.split(/ {2,}/)[1])).toEqual([
      "RESULT",
      "ok",
      "ok",
      "ok",
      "ok",
      "ok",
      "ok",
      "warning",
      "ok",
    ]);
    expect(session.find("CHECK")).toMatchObject({ bold: true });
    expect(session.find("ok")).toMatchObject({ foreground: "green" });
    expect(session.find("warning")).toMatchObject({ foreground: "yellow" });
  });

  test("0: in a pipe it is a JSON object per line", async () => {
    await using server = await startServer();
    const { stdout } = await petstore(["doctor"], { environment: connected(server) });
    const checks = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Check);
    expect(new Set(checks.map(({ result }) => result))).toEqual(new Set(["ok"]));
  });
});

describe("a warning", () => {
  test.each<[scope: "read" | "write" | "orders", refused: string[]]>([
    ["read", ["orders"]],
    ["orders", ["animals"]],
    ["write", ["animals", "orders"]],
  ])("0: a key with the scope %s alone may not read everything", async (scope, refused) => {
    await using server = await startServer({ scopes: [scope] });
    const { exitCode, stderr, checks } = await diagnose({ environment: connected(server) });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(checks.filter(({ result }) => result !== "ok")).toEqual(
      refused.map((check) => ({ check, result: "warning", detail: "the key may not read them" })),
    );
    // It is told the time by a refusal as well.
    expect(checks.at(-1)).toEqual(ok("clock"));
  });

  test.each([
    ["0640", 0o640],
    ["0604", 0o604],
    ["0777", 0o777],
  ])("0: a configuration file of mode %s can be read by others", async (_, mode) => {
    using home = temporaryDirectory();
    await using server = await startServer();
    const path = saveConfig(home.path, {});
    chmodSync(path, mode);
    const { exitCode, stderr, checks } = await diagnose({ home: home.path, environment: connected(server) });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    const detail = `others can read it: chmod 600 ${path}`;
    expect(checks.filter(({ result }) => result !== "ok")).toEqual([
      { check: "configuration file", result: "warning", detail },
    ]);
  });

  test.each([
    ["ahead of", 3_650_000],
    ["behind", -3_650_000],
  ])("0: a service whose clock is %s this machine's", async (_, skewMs) => {
    await using server = await startRecorder(listNothingAt(() => new Date(Date.now() + skewMs).toUTCString()));
    const { exitCode, stderr, checks } = await diagnose({
      environment: { PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: longKey("any") },
    });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(checks.at(-1)).toEqual({
      check: "clock",
      result: "warning",
      detail: expect.stringMatching(/^within 36\d\d s of the service's: set the clock of this machine$/),
    });
  });

  test.each([
    ["half a minute off is near enough", () => new Date(Date.now() - 30_000).toUTCString(), "ok"],
    ["a service that tells no time is believed", () => undefined, "skipped"],
    ["a service that tells nonsense is believed", () => "yesterday", "skipped"],
  ])("0: %s", async (_, date, result) => {
    await using server = await startRecorder(listNothingAt(date));
    const { exitCode, checks } = await diagnose({
      environment: { PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: longKey("any") },
    });
    expect(exitCode).toBe(0);
    expect(checks.at(-1)).toMatchObject({ check: "clock", result });
  });
});

describe("a failure", () => {
  test("9: no server, asked once", async () => {
    const baseUrl = await unusedAddress();
    const environment = { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: longKey("any"), PETSTORE_RETRIES: "10" };
    const { exitCode, stderr, checks } = await diagnose({ environment }, ["--verbose"]);
    expect(exitCode).toBe(9);
    expect(stderr.match(/, attempt \d+/g)).toEqual([", attempt 1"]);
    expect(checks.filter(({ result }) => result !== "ok")).toEqual([
      { check: "animals", result: "failed", detail: expect.any(String) },
    ]);
    const detail = checks.at(-1)?.detail;
    expect(detail).toContain("Nothing listens there: is the server running?");
    expect(detail).toContain(`The address, ${baseUrl}, comes from: environment PETSTORE_BASE_URL`);
  });

  test("4: a key that is not accepted", async () => {
    await using server = await startServer();
    const environment = { ...connected(server), PETSTORE_API_KEY: longKey("wrong") };
    const { exitCode, stderr, checks } = await diagnose({ environment });
    expect(exitCode).toBe(4);
    expect(JSON.parse(stderr)).toEqual({
      error: { code: "unhealthy", message: "One check failed: animals", exitCode: 4 },
    });
    expect(checks.at(-1)).toEqual({
      check: "animals",
      result: "failed",
      detail: expect.stringContaining(
        "The API key comes from: environment PETSTORE_API_KEY. Save one that is accepted with: petstore auth login",
      ),
    });
  });

  test("4: no key", async () => {
    const { exitCode, checks } = await diagnose({});
    expect(exitCode).toBe(4);
    expect(checks.at(-1)).toEqual({
      check: "api-key",
      result: "failed",
      detail:
        "There is no API key for http://127.0.0.1:8080/v1. Save one with petstore auth login, or set PETSTORE_API_KEY",
    });
  });

  test("2: bad settings, all of them, and nothing is sent", async () => {
    await using server = await startServer();
    const environment = { ...connected(server), PETSTORE_TIMEOUT: "soon", PETSTORE_RETRIES: "many" };
    const { exitCode, stderr, checks } = await diagnose({ environment });
    expect(exitCode).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ error: { message: "2 checks failed: timeout, retries" } });
    expect(checks.filter(({ result }) => result !== "ok")).toEqual([
      {
        check: "timeout",
        result: "failed",
        detail: "timeout (environment PETSTORE_TIMEOUT) must be a time like 500ms, 30s or 2m",
      },
      {
        check: "retries",
        result: "failed",
        detail: "retries (environment PETSTORE_RETRIES) must be a whole number from 0 to 10",
      },
      { check: "service", result: "skipped", detail: "first mend what failed above" },
    ]);
    expect(server.logs).toEqual([]);
  });

  test("2: a profile that does not exist", async () => {
    const { exitCode, checks } = await diagnose({ environment: { PETSTORE_PROFILE: "staging" } });
    expect(exitCode).toBe(2);
    expect(checks.at(-1)?.detail).toContain("There is no profile staging (environment PETSTORE_PROFILE)");
  });

  test.each<[exitCode: number, what: string, answer: RequestListener]>([
    [8, "a service that fails", (_request, response) => response.writeHead(500).end()],
    [8, "what is not the service", (_request, response) => response.end("<p>Welcome</p>")],
    [7, "too many requests", (_request, response) => response.writeHead(429).end()],
    [5, "no such address", (_request, response) => response.writeHead(404).end()],
    [9, "no answer in time", () => {}],
  ])("%i: %s", async (expected, _, answer) => {
    await using server = await startRecorder(answer);
    const timeout = expected === 9 ? "200ms" : "30s";
    const environment = { PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: longKey("any"), PETSTORE_TIMEOUT: timeout };
    const { exitCode, checks } = await diagnose({ environment });
    expect(exitCode).toBe(expected);
    expect(checks.at(-1)).toMatchObject({ check: "animals", result: "failed" });
  });

  test("8: orders that fail, where animals do not", async () => {
    await using server = await startRecorder((request, response) => {
      if (request.url?.startsWith("/v1/pets")) response.setHeader("Content-Type", "application/json").end("[]");
      else response.writeHead(500).end();
    });
    const environment = { PETSTORE_BASE_URL: server.url, PETSTORE_API_KEY: longKey("any") };
    const { exitCode, checks } = await diagnose({ environment });
    expect(exitCode).toBe(8);
    expect(checks.filter(({ result }) => result === "failed").map(({ check }) => check)).toEqual(["orders"]);
  });

  test("4: in words it is a line on standard error, below the table", async () => {
    const { exitCode, stdout, stderr } = await petstore(["doctor", "-o", "table"]);
    expect(exitCode).toBe(4);
    expect(stdout).toMatch(/^api-key +failed +There is no API key/m);
    expect(stderr).toBe("error: One check failed: api-key\n");
  });
});

/** Runs `doctor -o json`: whatever it has found, its answer is JSON. */
async function diagnose(
  options: RunOptions,
  args: readonly string[] = [],
): Promise<{ exitCode: number | null; stderr: string; checks: Check[] }> {
  const { exitCode, stdout, stderr } = await petstore(["doctor", "-o", "json", ...args], options);
  return { exitCode, stderr, checks: JSON.parse(stdout) as Check[] };
}

/** An empty catalogue whose clock shows something else. */
function listNothingAt(date: () => string | undefined): RequestListener {
  return (_request, response) => {
    response.sendDate = false;
    const shown = date();
    if (shown !== undefined) response.setHeader("Date", shown);
    response.setHeader("Content-Type", "application/json").end("[]");
  };
}
