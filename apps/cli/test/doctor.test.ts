import { chmodSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { startServer } from "@petstore/server/start-server";
import { expect } from "vitest";
import { test } from "./fixtures.ts";
import { listNothing, startRecorder, unusedAddress } from "./other-servers.ts";
import { petstore, type RunOptions } from "./petstore.ts";
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
      ok("clock", expect.stringMatching(/^within \d+ s of the service's$/)),
    ],
  });
  expect(server.logs.filter(({ msg }) => msg === "request")).toHaveLength(2);
});

test.for<[scope: "read" | "write", rejected: string[]]>([
  ["read", ["orders"]],
  ["write", ["animals", "orders"]],
])("0: a key with only the scope %s: a warning", async ([scope, rejected]) => {
  await using server = await startServer({ scopes: [scope] });
  const { exitCode, stderr, bad } = await diagnose({ server });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(bad).toEqual(rejected.map((check) => ({ check, result: "warning", detail: "the key may not read them" })));
});

test("0: a configuration file that others can read: a warning", async ({ home, server }) => {
  const path = saveConfig(home, {});
  chmodSync(path, 0o640);
  const detail = `others can read it: run chmod 600 ${path}`;
  const bad = [{ check: "configuration file", result: "warning", detail }];
  expect(await diagnose({ home, server })).toMatchObject({ exitCode: 0, stderr: "", bad });
});

test.for([
  ["missing.pem", "cannot be read: there is no such file or directory"],
  ["broken.pem", "has no PEM certificate"],
])("0: certificates in %s, which Node ignores: a warning", async ([file, problem], { home, server }) => {
  writeFileSync(join(home, "broken.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  const { exitCode, bad } = await diagnose({ home, server, environment: { NODE_EXTRA_CA_CERTS: file } });
  const detail = `NODE_EXTRA_CA_CERTS ${file} ${problem}. Node ignores this`;
  expect({ exitCode, bad }).toEqual({ exitCode: 0, bad: [{ check: "certificates", result: "warning", detail }] });
});

test.for<[what: string, aheadMs: number | undefined, result: Check["result"], detail: RegExp]>([
  ["ahead", 3_650_000, "warning", /^within 36\d\d s of the service's: set the clock of this machine$/],
  ["missing", undefined, "skipped", /does not report/],
])("0: a service whose clock is %s", async ([, aheadMs, result, detail]) => {
  await using server = await startRecorder((request, response) => {
    response.sendDate = false;
    if (aheadMs !== undefined) response.setHeader("Date", new Date(Date.now() + aheadMs).toUTCString());
    listNothing(request, response);
  });
  const { exitCode, checks } = await diagnose({ server });
  expect(exitCode).toBe(0);
  expect(checks.at(-1)).toEqual({ check: "clock", result, detail: expect.stringMatching(detail) as string });
});

test("9: no server, asked once", async () => {
  const server = { url: await unusedAddress(), apiKey: longKey("any") };
  const { exitCode, stderr, bad } = await diagnose({ server, environment: { PETSTORE_RETRIES: "10" } }, "--verbose");
  expect(exitCode).toBe(9);
  expect(stderr.match(/^> GET /gm)).toHaveLength(1);
  const where = `The address ${server.url} comes from: environment PETSTORE_BASE_URL`;
  const detail = expect.stringContaining(`Nothing is listening there: is the server running? ${where}`) as string;
  expect(bad).toEqual([{ check: "animals", result: "failed", detail }]);
});

test("4: as text, a failure is a line on standard error, below the table", async () => {
  const { exitCode, stdout, stderr } = await petstore("doctor -o table");
  expect([exitCode, stderr]).toEqual([4, "error: One check failed: api-key\n"]);
  expect(stdout).toMatch(/^api-key +failed +There is no API key/m);
});

test("2: a damaged configuration file is a failed check", async ({ home, server }) => {
  const path = saveConfig(home, '{"profiles":{"default":{"timeout":5}}}');
  const { exitCode, checks } = await diagnose({ home, server });
  expect([exitCode, server.logs]).toEqual([2, []]);
  const detail = expect.stringContaining(`${path} is damaged: profiles.default.timeout must be a string. `) as string;
  expect(checks.at(-2)).toEqual({ check: "configuration file", result: "failed", detail });
});

test("2: bad settings, all of them, and nothing is sent", async ({ server }) => {
  const environment = { PETSTORE_TIMEOUT: "soon", PETSTORE_RETRIES: "many" };
  const { exitCode, stderr, bad } = await diagnose({ server, environment });
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({ error: { message: "2 checks failed: timeout, retries" } });
  expect(bad.map(({ check, result }) => `${check} ${result}`)).toEqual([
    "timeout failed",
    "retries failed",
    "service skipped",
  ]);
  expect(server.logs).toEqual([]);
});

const ordersFail: RequestListener = (request, response) => {
  if (request.url?.startsWith("/v1/pets")) listNothing(request, response);
  else response.writeHead(500).end();
};

test.for<[exitCode: number, what: string, listener: RequestListener, check: string]>([
  [8, "another program", (_request, response) => response.end("<p>Welcome</p>"), "animals"],
  [7, "too many requests", (_request, response) => response.writeHead(429).end(), "animals"],
  [9, "no response", ({ socket }) => socket.destroy(), "animals"],
  [8, "orders that fail, where animals do not", ordersFail, "orders"],
])("%i: %s", async ([exitCode, , listener, check]) => {
  await using server = await startRecorder(listener);
  const { checks, ...ended } = await diagnose({ server });
  expect(ended.exitCode).toBe(exitCode);
  expect(checks.filter(({ result }) => result === "failed").map((failed) => failed.check)).toEqual([check]);
});
