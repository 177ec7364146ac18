import { chmodSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { startServer } from "@petstore/server/start-server";
import { describe, expect } from "vitest";
import { parseLines } from "./catalogue.ts";
import { test } from "./fixtures.ts";
import { listNothing, startRecorder, unusedAddress } from "./other-servers.ts";
import { petstore, petstoreOnScreen, type RunOptions } from "./petstore.ts";
import { configFile, longKey, saveConfig } from "./saved-settings.ts";

interface Check {
  check: string;
  result: "ok" | "warning" | "failed" | "skipped";
  detail: string;
}

const ok = (check: string, detail: unknown = expect.any(String)) => ({ check, result: "ok", detail });

/** Runs `doctor -o json`, which always prints JSON. `bad` are the checks that are not ok. */
async function diagnose(options: RunOptions, flags = "") {
  const { exitCode, stdout, stderr } = await petstore(`doctor -o json ${flags}`, options);
  const checks = JSON.parse(stdout) as Check[];
  const bad = checks.filter(({ result }) => result !== "ok");
  return { exitCode, stderr, checks, bad };
}

describe("healthy", () => {
  test("0: every check is ok, and shows its finding", async ({ home, server }) => {
    const profile = { "base-url": server.url, "api-key": server.apiKey, timeout: "7s" };
    saveConfig(home, { profiles: { default: profile } });
    expect(await diagnose({ home, environment: { PETSTORE_RETRIES: "3" } })).toEqual({
      exitCode: 0,
      stderr: "",
      bad: [],
      checks: [
        ok("program", expect.stringMatching(/^petstore \d+\.\d+\.\d+, Node v\d+\.\d+\.\d+, \w+$/)),
        ok("base-url", `${server.url}, from profile default`),
        ok("api-key", "from profile default"),
        ok("output", "json, from flag --output"),
        ok("timeout", "7s, from profile default"),
        ok("retries", "3, from environment PETSTORE_RETRIES"),
        ok("configuration file", configFile(home)),
        ok("service", expect.stringMatching(/^responded in \d+ ms$/)),
        ok("animals", "the key may read them"),
        ok("orders", "the key may read them"),
        ok("clock", expect.stringMatching(/^within \d s of the service's$/)),
      ],
    });
    expect(server.logs.filter(({ msg }) => msg === "request")).toHaveLength(2);
  });

  test("0: without a configuration file", async ({ home, server }) => {
    const { exitCode, checks } = await diagnose({ home, server });
    expect(exitCode).toBe(0);
    expect(checks).toContainEqual(ok("configuration file", `${configFile(home)} (none yet)`));
  });

  test("0: it is a table at a terminal, with its results in colors", async () => {
    await using server = await startServer({ scopes: ["read"] });
    const session = await petstoreOnScreen("doctor", { server, columns: 120 });
    expect(session.exitCode).toBe(0);
    expect(session.screen()[0]).toMatch(/^CHECK +RESULT +DETAIL$/);
    const results = session.screen().map((line) => line.split(/ {2,}/)[1]);
    expect(results.join(" ")).toBe("RESULT ok ok ok ok ok ok warning ok");
    expect(session.find("CHECK")).toMatchObject({ bold: true });
    expect(session.find("ok")).toMatchObject({ foreground: "green" });
    expect(session.find("warning")).toMatchObject({ foreground: "yellow" });
  });

  test("0: in a pipe it is a JSON object per line", async ({ server }) => {
    const checks = parseLines((await petstore("doctor", { server })).stdout) as Check[];
    expect(new Set(checks.map(({ result }) => result))).toEqual(new Set(["ok"]));
  });
});

/** An empty catalogue with another time. */
function listNothingAt(shown: string | undefined): RequestListener {
  return (request, response) => {
    response.sendDate = false;
    if (shown !== undefined) response.setHeader("Date", shown);
    listNothing(request, response);
  };
}

function timeIn(aheadMs: number): string {
  return new Date(Date.now() + aheadMs).toUTCString();
}

describe("a warning", () => {
  test.for<[scope: "read" | "write" | "orders", rejected: string[]]>([
    ["read", ["orders"]],
    ["orders", ["animals"]],
    ["write", ["animals", "orders"]],
  ])("0: a key with only the scope %s may not read everything", async ([scope, rejected]) => {
    await using server = await startServer({ scopes: [scope] });
    const { exitCode, stderr, checks, bad } = await diagnose({ server });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(bad).toEqual(rejected.map((check) => ({ check, result: "warning", detail: "the key may not read them" })));
    // An error response reports the time too.
    expect(checks.at(-1)).toEqual(ok("clock"));
  });

  test.for([0o640, 0o604, 0o777])("0: a configuration file of mode %o", async (mode, { home, server }) => {
    const path = saveConfig(home, {});
    chmodSync(path, mode);
    const { exitCode, stderr, bad } = await diagnose({ home, server });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(bad).toEqual([
      { check: "configuration file", result: "warning", detail: `others can read it: run chmod 600 ${path}` },
    ]);
  });

  test.for([
    ["missing.pem", "cannot be read: there is no such file or directory"],
    [".", "cannot be read: it is a directory"],
    ["notes.txt", "has no PEM certificate"],
    ["broken.pem", "has no PEM certificate"],
  ])("0: certificates in %s, which Node ignores", async ([file, problem], { home, server }) => {
    writeFileSync(join(home, "notes.txt"), "Certificates: none");
    writeFileSync(join(home, "broken.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    const { exitCode, bad } = await diagnose({ home, server, environment: { NODE_EXTRA_CA_CERTS: file } });
    const detail = `NODE_EXTRA_CA_CERTS ${file} ${problem}. Node ignores this`;
    expect({ exitCode, bad }).toEqual({ exitCode: 0, bad: [{ check: "certificates", result: "warning", detail }] });
    // Without this file, no command could run.
    const needed = await diagnose({ home, server, environment: { SSL_CERT_FILE: file } });
    expect(needed.bad[0]).toMatchObject({
      detail: expect.stringContaining(`SSL_CERT_FILE ${file} ${problem}`) as string,
    });
  });

  const apart = /^within 36\d\d s of the service's: set the clock of this machine$/;
  test.for<[what: string, date: () => string | undefined, result: Check["result"], detail: RegExp]>([
    ["a service whose clock is ahead", () => timeIn(3_650_000), "warning", apart],
    ["a service whose clock is slow", () => timeIn(-3_650_000), "warning", apart],
    ["half a minute off is near enough", () => timeIn(-30_000), "ok", /^within/],
    ["a service that reports no time", () => undefined, "skipped", /does not report/],
    ["a service that reports an invalid time", () => "yesterday", "skipped", /does not report/],
  ])("0: %s", async ([, date, result, detail]) => {
    await using server = await startRecorder(listNothingAt(date()));
    const { exitCode, stderr, checks } = await diagnose({ server });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(checks.at(-1)).toEqual({ check: "clock", result, detail: expect.stringMatching(detail) as string });
  });
});

const ordersFail: RequestListener = (request, response) => {
  if (request.url?.startsWith("/v1/pets")) listNothing(request, response);
  else response.writeHead(500).end();
};

describe("a failure", () => {
  test("9: no server, asked once", async () => {
    const server = { url: await unusedAddress(), apiKey: longKey("any") };
    const { exitCode, stderr, bad } = await diagnose({ server, environment: { PETSTORE_RETRIES: "10" } }, "--verbose");
    expect(exitCode).toBe(9);
    expect(stderr.match(/^> GET /gm)).toHaveLength(1);
    const where = `The address ${server.url} comes from: environment PETSTORE_BASE_URL`;
    const detail = expect.stringContaining(`Nothing is listening there: is the server running? ${where}`) as string;
    expect(bad).toEqual([{ check: "animals", result: "failed", detail }]);
  });

  test("4: a key that is not accepted", async ({ server: { url } }) => {
    const { exitCode, stderr, checks } = await diagnose({ server: { url, apiKey: longKey("wrong") } });
    expect(exitCode).toBe(4);
    const error = { code: "unhealthy", message: "One check failed: animals", exitCode: 4 };
    expect(JSON.parse(stderr)).toEqual({ error });
    const advice = "The API key comes from: environment PETSTORE_API_KEY. Save a valid one with: petstore auth login";
    const detail = expect.stringContaining(advice) as string;
    expect(checks.at(-1)).toEqual({ check: "animals", result: "failed", detail });
  });

  test.for([
    [
      4,
      "api-key",
      "",
      "There is no API key for http://127.0.0.1:8080/v1. Log in with petstore auth login --base-url https://HOST/v1, or in a checkout, start a server with npx pnpm@12 start",
    ],
    [2, "api-key", "staging", "There is no profile staging (environment PETSTORE_PROFILE)"],
  ] as const)("%i: %s, with PETSTORE_PROFILE='%s'", async ([expected, check, profile, detail]) => {
    const { exitCode, checks } = await diagnose({ environment: { PETSTORE_PROFILE: profile } });
    expect(exitCode).toBe(expected);
    expect(checks.at(-1)).toMatchObject({ check, result: "failed", detail: expect.stringContaining(detail) as string });
  });

  test("2: a damaged configuration file is a failed check", async ({ home, server }) => {
    const path = saveConfig(home, '{"profiles":{"default":{"timeout":5}}}');
    const { exitCode, checks } = await diagnose({ home, server });
    expect([exitCode, server.logs]).toEqual([2, []]);
    expect(checks.at(-2)).toEqual({
      check: "configuration file",
      result: "failed",
      detail: expect.stringContaining(
        `${path} is damaged: profiles.default.timeout must be a string. It must be like`,
      ) as string,
    });
  });

  test("2: bad settings, all of them, and nothing is sent", async ({ server }) => {
    const environment = { PETSTORE_TIMEOUT: "soon", PETSTORE_RETRIES: "many" };
    const { exitCode, stderr, bad } = await diagnose({ server, environment });
    expect(exitCode).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({ error: { message: "2 checks failed: timeout, retries" } });
    expect(bad.map(({ check, result, detail }) => `${check} ${result}: ${detail}`)).toEqual([
      "timeout failed: timeout (environment PETSTORE_TIMEOUT) must be a time like 500ms, 30s or 2m",
      "retries failed: retries (environment PETSTORE_RETRIES) must be a whole number from 0 to 10",
      "service skipped: fix the failed checks above first",
    ]);
    expect(server.logs).toEqual([]);
  });

  test.for<[exitCode: number, what: string, listener: RequestListener, check: string]>([
    [8, "a service that fails", (_request, response) => response.writeHead(500).end(), "animals"],
    [8, "another program", (_request, response) => response.end("<p>Welcome</p>"), "animals"],
    [7, "too many requests", (_request, response) => response.writeHead(429).end(), "animals"],
    [5, "no such address", (_request, response) => response.writeHead(404).end(), "animals"],
    [9, "no response in time", () => {}, "animals"],
    [8, "orders that fail, where animals do not", ordersFail, "orders"],
  ])("%i: %s", async ([expected, , listener, check]) => {
    await using server = await startRecorder(listener);
    const environment = { PETSTORE_TIMEOUT: expected === 9 ? "200ms" : "30s" };
    const { exitCode, checks } = await diagnose({ server, environment });
    expect(exitCode).toBe(expected);
    expect(checks.filter(({ result }) => result === "failed").map((failed) => failed.check)).toEqual([check]);
  });

  test("4: as text it is a line on standard error, below the table", async () => {
    const { exitCode, stdout, stderr } = await petstore("doctor -o table");
    expect(exitCode).toBe(4);
    expect(stdout).toMatch(/^api-key +failed +There is no API key/m);
    expect(stderr).toBe("error: One check failed: api-key\n");
  });
});
