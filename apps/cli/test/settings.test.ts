import { temporaryDirectory } from "@petstore/test-kit/processes";
import { describe, expect, test, vi } from "vitest";
import { startRecorder, unusedAddress } from "./other-servers.ts";
import { petstore, type RunOptions } from "./petstore.ts";
import {
  give,
  leaveDevelopmentFiles,
  listedSettings,
  longKey,
  saveConfig,
  type SavedConfig,
  type Source,
} from "./saved-settings.ts";

vi.setConfig({ testTimeout: 60_000 });

const developmentKey = longKey("development");

/** Everybody who can give a setting, the first first. */
const sources: Record<string, Source[]> = {
  "base-url": [
    { origin: "flag --base-url", given: "https://flag.example/v1" },
    { origin: "environment PETSTORE_BASE_URL", given: "https://environment.example/v1" },
    { origin: "profile default", given: "https://profile.example/v1" },
    { origin: "development server", given: "http://127.0.0.1:9/v1" },
    { origin: "default", given: "http://127.0.0.1:8080/v1" },
  ],
  output: [
    { origin: "flag --output", given: "json" },
    { origin: "environment PETSTORE_OUTPUT", given: "ndjson" },
    { origin: "profile default", given: "json" },
  ],
  color: [
    { origin: "flag --color", given: "auto" },
    { origin: "environment FORCE_COLOR", given: "1", value: "always" },
    { origin: "environment NO_COLOR", given: "1", value: "never" },
    { origin: "profile default", given: "always" },
    { origin: "default", given: "auto" },
  ],
  timeout: [
    { origin: "flag --timeout", given: "500ms" },
    { origin: "environment PETSTORE_TIMEOUT", given: "7s" },
    { origin: "profile default", given: "2m" },
    { origin: "default", given: "30s" },
  ],
  retries: [
    { origin: "flag --retries", given: "0" },
    { origin: "environment PETSTORE_RETRIES", given: "10" },
    { origin: "profile default", given: "5" },
    { origin: "default", given: "2" },
  ],
  profile: [
    { origin: "flag --profile", given: "from-flag" },
    { origin: "environment PETSTORE_PROFILE", given: "from-environment" },
    { origin: "configuration file", given: "from-file" },
    { origin: "default", given: "default" },
  ],
};

test.each(Object.entries(sources))(
  "0: %s is what the first says who gives it, and that one is named",
  async (key, all) => {
    const found = all.map(async (_, index) => {
      using home = temporaryDirectory();
      const { args, environment } = give(home.path, key, all.slice(index));
      return (await listedSettings({ home: home.path, environment }, args))[key];
    });
    expect(await Promise.all(found)).toEqual(all.map(({ origin, given, value = given }) => [value, origin]));
  },
);

test("0: api-key is that of the environment, the profile, then the development server, and shown masked", async () => {
  using home = temporaryDirectory();
  const baseUrl = "http://127.0.0.1:9/v1";
  const options: RunOptions = { home: home.path };
  expect((await listedSettings(options))["api-key"]).toBeUndefined();

  leaveDevelopmentFiles(home.path, baseUrl, developmentKey);
  expect((await listedSettings(options))["api-key"]).toEqual(["pst_test_…ment", "development server"]);

  saveConfig(home.path, { profiles: { default: { "base-url": baseUrl, "api-key": longKey("saved") } } });
  expect((await listedSettings(options))["api-key"]).toEqual(["pst_test_…aved", "profile default"]);

  const environment = { PETSTORE_API_KEY: longKey("variable") };
  expect((await listedSettings({ ...options, environment }))["api-key"]).toEqual([
    "pst_test_…able",
    "environment PETSTORE_API_KEY",
  ]);
});

test.each([
  ["FORCE_COLOR=0 switches it off", { FORCE_COLOR: "0" }, ["never", "environment FORCE_COLOR"]],
  ["FORCE_COLOR=false switches it off", { FORCE_COLOR: "false" }, ["never", "environment FORCE_COLOR"]],
  ["FORCE_COLOR=3 goes before NO_COLOR=1", { FORCE_COLOR: "3", NO_COLOR: "1" }, ["always", "environment FORCE_COLOR"]],
  ["NO_COLOR=0 is not empty", { NO_COLOR: "0" }, ["never", "environment NO_COLOR"]],
])("0: color: %s", async (_, environment, expected) => {
  using home = temporaryDirectory();
  saveConfig(home.path, { profiles: { default: { color: "always" } } });
  expect((await listedSettings({ home: home.path, environment }))["color"]).toEqual(expected);
});

test("0: every setting comes from the profile that is in use, and none from another one", async () => {
  using home = temporaryDirectory();
  const saved = {
    "base-url": "https://staging.example/v1",
    timeout: "1s",
    retries: "1",
    color: "never",
    output: "json",
  };
  saveConfig(home.path, {
    profile: "staging",
    profiles: { staging: saved, default: { retries: "9", timeout: "9s" }, other: { timeout: "8s" } },
  });
  const { profile, ...listed } = await listedSettings({ home: home.path });
  expect(profile).toEqual(["staging", "configuration file"]);
  expect(listed).toEqual(
    Object.fromEntries(Object.entries(saved).map(([key, value]) => [key, [value, "profile staging"]])),
  );
  const other = await listedSettings({ home: home.path }, ["--profile", "other"]);
  expect(other).toMatchObject({ timeout: ["8s", "profile other"], retries: ["2", "default"] });
});

test("0: empty variables count as unset", async () => {
  using home = temporaryDirectory();
  leaveDevelopmentFiles(home.path, "http://127.0.0.1:9/v1", developmentKey);
  const empty = ["BASE_URL", "API_KEY", "PROFILE", "OUTPUT", "TIMEOUT", "RETRIES"].map((name) => [
    `PETSTORE_${name}`,
    "",
  ]);
  const environment = { ...Object.fromEntries(empty), FORCE_COLOR: "", NO_COLOR: "" };
  expect(await listedSettings({ home: home.path, environment })).toEqual({
    profile: ["default", "default"],
    "base-url": ["http://127.0.0.1:9/v1", "development server"],
    "api-key": ["pst_test_…ment", "development server"],
    color: ["auto", "default"],
    timeout: ["30s", "default"],
    retries: ["2", "default"],
  });
});

test("2: a key of the environment needs an address: any user may listen at the default one", async () => {
  const environment = { PETSTORE_API_KEY: longKey("production") };
  const { exitCode, stderr } = await petstore(["pets", "list"], { environment });
  expect(exitCode).toBe(2);
  expect(stderr).toBe(
    "error: PETSTORE_API_KEY is set without an address to send it to\nhint: Set PETSTORE_BASE_URL too, or use --base-url\n",
  );
});

test("2: a key of the environment does not go to a development server that was not named", async () => {
  using home = temporaryDirectory();
  await using server = await startRecorder((_request, response) => response.end("[]"));
  leaveDevelopmentFiles(home.path, server.url, developmentKey);
  const environment = { PETSTORE_API_KEY: longKey("production") };
  expect((await petstore(["pets", "list"], { home: home.path, environment })).exitCode).toBe(2);
  expect(server.received).toEqual([]);
});

const unencrypted = /is not encrypted: others on the network can read the API key/g;

test.each([
  ["pets", "list", "--all"],
  ["orders", "list"],
  ["auth", "status"],
  ["doctor", "--quiet"],
])("9: warns once that a key is sent unencrypted over the network: %s %s %s", async (...words) => {
  const environment = { PETSTORE_BASE_URL: "http://192.0.2.1/v1", PETSTORE_API_KEY: longKey("any") };
  const args = [...words.filter((word) => word !== undefined), "--timeout", "100ms", "--retries", "1"];
  const { exitCode, stderr } = await petstore(args, { environment });
  expect(exitCode).toBe(9);
  expect(stderr.match(unencrypted) ?? []).toHaveLength(1);
});

test.each(["http://localhost:9/v1", "http://127.0.0.1:9/v1", "http://[::1]:9/v1", "https://192.0.2.1/v1"])(
  "9: does not warn for %s",
  async (url) => {
    const environment = { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: longKey("any"), PETSTORE_RETRIES: "0" };
    const { exitCode, stderr } = await petstore(["pets", "list", "--timeout", "100ms"], { environment });
    expect({ exitCode, notes: stderr.match(unencrypted) }).toEqual({ exitCode: 9, notes: null });
  },
);

describe("what is listed is what happens", () => {
  test.each<[origin: string, RunOptions["environment"], SavedConfig, string[]]>([
    ["a flag", { PETSTORE_TIMEOUT: "2m" }, {}, ["--timeout", "100ms"]],
    ["a variable", { PETSTORE_TIMEOUT: "100ms" }, { profiles: { default: { timeout: "2m" } } }, []],
    ["a profile", {}, { profiles: { default: { timeout: "100ms" } } }, []],
  ])("9: the timeout of %s ends a request that gets no answer", async (_, environment, config, args) => {
    using home = temporaryDirectory();
    saveConfig(home.path, config);
    await using silent = await startRecorder(() => {});
    const connection = { PETSTORE_BASE_URL: silent.url, PETSTORE_API_KEY: longKey("any") };
    const ended = await petstore(["pets", "list", "--retries", "0", "-o", "json", ...args], {
      home: home.path,
      environment: { ...connection, ...environment },
    });
    expect(ended.exitCode).toBe(9);
    expect(JSON.parse(ended.stderr)).toMatchObject({
      error: { code: "timeout", message: "no whole answer within 100 ms" },
    });
  });

  test.each<[origin: string, number, RunOptions["environment"], SavedConfig, string[]]>([
    ["a flag", 1, { PETSTORE_RETRIES: "10" }, {}, ["--retries", "0"]],
    ["a variable", 2, { PETSTORE_RETRIES: "1" }, { profiles: { default: { retries: "10" } } }, []],
    ["a profile", 1, {}, { profiles: { default: { retries: "0" } } }, []],
    ["nobody", 3, {}, {}, []],
  ])("9: the retries of %s make %i attempts", async (_, attempts, environment, config, args) => {
    using home = temporaryDirectory();
    saveConfig(home.path, config);
    const connection = { PETSTORE_BASE_URL: await unusedAddress(), PETSTORE_API_KEY: longKey("any") };
    const { exitCode, stderr } = await petstore(["pets", "list", "--verbose", ...args], {
      home: home.path,
      environment: { ...connection, ...environment },
    });
    expect(exitCode).toBe(9);
    expect(stderr.match(/, attempt \d/g)).toEqual(
      Array.from({ length: attempts }, (_0, index) => `, attempt ${index + 1}`),
    );
  });
});
