import { temporaryDirectory } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { test } from "../support/fixtures.ts";
import { listNothing, startRecorder, unusedAddress } from "../support/other-servers.ts";
import { petstore, type RunOptions } from "../support/petstore.ts";
import {
  give,
  leaveDevelopmentFiles,
  listedSettings,
  longKey,
  saveConfig,
  type Source,
  type SavedConfig,
} from "../support/saved-settings.ts";

/** Every source of a setting, in order of precedence. */
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
  timeout: [
    { origin: "flag --timeout", given: "500ms" },
    { origin: "environment PETSTORE_TIMEOUT", given: "7s" },
    { origin: "default", given: "30s" },
  ],
  retries: [
    { origin: "flag --retries", given: "0" },
    { origin: "environment PETSTORE_RETRIES", given: "10" },
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
  "0: %s comes from the source with the highest precedence, which is shown",
  async (key, all) => {
    const found = all.map(async (_, index) => {
      using home = temporaryDirectory();
      const { args, environment } = give(home.path, key, all.slice(index));
      return (await listedSettings({ home: home.path, environment }, args))[key];
    });
    expect(await Promise.all(found)).toEqual(all.map(({ origin, given, value = given }) => [value, origin]));
  },
);

test("0: api-key, masked, comes from the environment, the profile or the development server", async ({ home }) => {
  const keyNow = async (environment = {}) => (await listedSettings({ home, environment }))["api-key"];
  expect(await keyNow()).toBeUndefined();

  leaveDevelopmentFiles(home);
  expect(await keyNow()).toEqual(["pst_test_…ment", "development server"]);

  saveConfig(home, { profiles: { default: { "base-url": "http://127.0.0.1:9/v1", "api-key": longKey("saved") } } });
  expect(await keyNow()).toEqual(["pst_test_…aved", "profile default"]);

  const variable = { PETSTORE_API_KEY: longKey("variable") };
  expect(await keyNow(variable)).toEqual(["pst_test_…able", "environment PETSTORE_API_KEY"]);
});

test("0: settings come from the profile in use, and limits of requests from none", async ({ home }) => {
  const staging = { "base-url": "https://staging.example/v1", output: "json", timeout: "1s" };
  saveConfig(home, { profile: "staging", profiles: { staging, other: { output: "csv" } } });
  expect(await listedSettings({ home })).toEqual({
    profile: ["staging", "configuration file"],
    "base-url": ["https://staging.example/v1", "profile staging"],
    output: ["json", "profile staging"],
    timeout: ["30s", "default"],
    retries: ["2", "default"],
  });
});

test("0: empty variables count as unset", async ({ home }) => {
  leaveDevelopmentFiles(home);
  const names = ["BASE_URL", "API_KEY", "PROFILE", "OUTPUT", "TIMEOUT", "RETRIES"].map((name) => `PETSTORE_${name}`);
  const environment = Object.fromEntries(names.map((name) => [name, ""]));
  expect(await listedSettings({ home, environment })).toEqual({
    profile: ["default", "default"],
    "base-url": ["http://127.0.0.1:9/v1", "development server"],
    "api-key": ["pst_test_…ment", "development server"],
    timeout: ["30s", "default"],
    retries: ["2", "default"],
  });
});

test("2: a key in the environment needs an address, because any user may listen at the default one", async () => {
  const environment = { PETSTORE_API_KEY: longKey("production") };
  const message = "PETSTORE_API_KEY is set without an address to send it to";
  const stderr = `error: ${message}\nhint: Set PETSTORE_BASE_URL too, or use --base-url\n`;
  expect(await petstore("pets list", { environment })).toMatchObject({ exitCode: 2, stderr });
});

test("2: a key in the environment is not sent to a development server unless its address is set", async ({ home }) => {
  await using server = await startRecorder(listNothing);
  leaveDevelopmentFiles(home, server.url);
  const environment = { PETSTORE_API_KEY: longKey("production") };
  expect((await petstore("pets list", { home, environment })).exitCode).toBe(2);
  expect(server.received).toEqual([]);
});

test.for<[notes: number, line: string, url: string]>([
  [1, "pets list --all", "http://192.0.2.1/v1"],
  [1, "auth status", "http://192.0.2.1/v1"],
  [1, "auth status --quiet", "http://192.0.2.1/v1"],
  [0, "pets list", "http://localhost:9/v1"],
  [0, "pets list", "http://127.0.0.1:9/v1"],
  [0, "pets list", "https://192.0.2.1/v1"],
])("9: warns %i times that a key is sent unencrypted over the network: %s at %s", async ([notes, line, url]) => {
  const server = { url, apiKey: longKey("any") };
  const { exitCode, stderr } = await petstore(`${line} --timeout 100ms --retries 1`, { server });
  expect(exitCode).toBe(9);
  expect(stderr.match(/is not encrypted: others on the network can read the API key/g) ?? []).toHaveLength(notes);
});

type Giver = [who: string, environment: RunOptions["environment"], profile: Record<string, string>, flags: string];

describe("the listed settings are the effective ones", () => {
  test.for<Giver>([
    ["a flag", { PETSTORE_TIMEOUT: "2m" }, {}, "--timeout 100ms"],
    ["a variable", { PETSTORE_TIMEOUT: "100ms" }, {}, ""],
  ])("9: the timeout of %s ends a request without a response", async ([, environment, profile, flags], { home }) => {
    saveConfig(home, { profiles: { default: profile } });
    await using server = await startRecorder(() => {});
    const line = `pets list --retries 0 -o json ${flags}`;
    const { exitCode, stderr } = await petstore(line, { home, server, environment });
    expect(exitCode).toBe(9);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "timeout", message: "The request timed out after 100 ms" },
    });
  });

  test.for<[attempts: number, ...Giver]>([
    [1, "a flag", { PETSTORE_RETRIES: "10" }, {}, "--retries 0"],
    [2, "a variable", { PETSTORE_RETRIES: "1" }, { retries: "10" }, ""],
  ])("9: %i attempts, as the retries of %s say", async ([attempts, , environment, profile, flags], { home }) => {
    saveConfig(home, { profiles: { default: profile } });
    const server = { url: await unusedAddress(), apiKey: longKey("any") };
    const { exitCode, stderr } = await petstore(`pets list --verbose ${flags}`, { home, server, environment });
    expect(exitCode).toBe(9);
    expect(stderr.match(/^> GET /gm)).toHaveLength(attempts);
  });
});

const urlForm = "must be like https://host/v1";
const keyForm = "must be an API key, like pst_live_…";
const formatForm = "must be one of table, json, ndjson, csv";
const timeForm = "must be a time like 500ms, 30s or 2m";
const countForm = "must be a whole number from 0 to 10";

function guess(url: string): string {
  return `${urlForm}: did you mean ${url}?`;
}

describe("a bad value is rejected with its source, before anything is sent", () => {
  const fromVariable = "environment PETSTORE_BASE_URL";
  test.for<[key: string, origin: string, given: string, problem: string]>([
    ["base-url", "flag --base-url", "ftp://petstore.example/v1", urlForm],
    ["base-url", "flag --base-url", "localhost:8080", guess("http://localhost:8080/v1")],
    ["base-url", fromVariable, "https://petstore.example", guess("https://petstore.example/v1")],
    ["base-url", fromVariable, "https://petstore.example/v2/", guess("https://petstore.example/v2/v1")],
    ["base-url", "profile default", "https://petstore.example/v1?verbose=1", urlForm],
    ["base-url", "profile default", "https://user:password@petstore.example/v1", urlForm],
    ["api-key", "environment PETSTORE_API_KEY", "two words", keyForm],
    ["output", "environment PETSTORE_OUTPUT", "xml", formatForm],
    ["timeout", "flag --timeout", "30", timeForm],
    ["timeout", "flag --timeout", "1.5s", timeForm],
    ["timeout", "environment PETSTORE_TIMEOUT", "0s", timeForm],
    ["retries", "flag --retries", "11", countForm],
    ["retries", "environment PETSTORE_RETRIES", "1.5", countForm],
  ])("2: %s (%s): %s", async ([key, origin, given, problem], { home, server }) => {
    const bad = give(home, key, [{ origin, given }], { "base-url": server.url, "api-key": server.apiKey });
    const ended = await petstore(["pets", "list", ...bad.args], { home, environment: bad.environment });
    expect(ended).toEqual({ exitCode: 2, signal: null, stdout: "", stderr: `error: ${key} (${origin}) ${problem}\n` });
    expect(server.logs).toEqual([]);
  });
});

describe("a profile that does not exist", () => {
  const profiles = { production: {}, staging: {} };

  test.for<[origin: string, config: SavedConfig, variable: string, flags: string]>([
    ["flag --profile", { profiles }, "", "--profile stagin"],
    ["environment PETSTORE_PROFILE", { profiles }, "stagin", ""],
    ["configuration file", { profile: "stagin", profiles }, "", ""],
  ])("2: is rejected by who chose it (%s)", async ([origin, config, variable, flags], { home, server }) => {
    saveConfig(home, config);
    const environment = { PETSTORE_PROFILE: variable };
    const hint = "Profiles: production, staging. Create it with: petstore auth login --profile stagin";
    const stderr = `error: There is no profile stagin (${origin})\nhint: ${hint}\n`;
    const ended = await petstore(`pets list ${flags}`, { home, server, environment });
    expect(ended).toEqual({ exitCode: 2, signal: null, stdout: "", stderr });
    expect(server.logs).toEqual([]);
  });
});

test("0: the profile default always exists, also when it is chosen", async ({ home, server }) => {
  saveConfig(home, { profile: "default" });
  for (const flags of ["", "--profile default"]) {
    expect(await petstore(`pets list -q ${flags}`, { home, server })).toMatchObject({ exitCode: 0, stderr: "" });
  }
});
