import { readdirSync, readFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { petstore, petstoreOnScreen } from "../../support/petstore.ts";
import { configFile, listedSettings, longKey, saveConfig, savedConfig } from "../../support/saved-settings.ts";

const quiet = { exitCode: 0, signal: null, stdout: "", stderr: "" };

test.for([
  ["base-url", "https://[::1]:8443/animals/v1"],
  ["output", "csv"],
] as const)("0: config set %s %s: it is saved, and an empty value removes it", async ([key, value], { home }) => {
  const set = await petstore(`config set ${key} ${value}`, { home });
  expect(set).toEqual({ ...quiet, stderr: `note: ${key} of the profile default is now ${value}\n` });
  expect(savedConfig(home)).toEqual({ profiles: { default: { [key]: value } } });
  const unset = await petstore(["config", "set", key, ""], { home });
  expect(unset).toEqual({ ...quiet, stderr: `note: ${key} of the profile default no longer has a saved value\n` });
  expect(savedConfig(home)).toEqual({ profiles: { default: {} } });
});

test("0: a setting goes into the profile in use, and other settings stay", async ({ home }) => {
  const baseUrl = "https://one.example/v1";
  saveConfig(home, { profile: "one", profiles: { one: { output: "csv", "base-url": baseUrl }, two: {} } });
  await petstore("config set output table", { home });
  await petstore("config set output csv --profile two", { home });
  await petstore("config set output csv", { home, environment: { PETSTORE_PROFILE: "three" } });
  expect(savedConfig(home)).toEqual({
    profile: "one",
    profiles: { one: { output: "table", "base-url": baseUrl }, two: { output: "csv" }, three: { output: "csv" } },
  });
});

test("0: config list is a table at a terminal, with the defaults, and CSV on request", async ({ home }) => {
  saveConfig(home, { profiles: { default: { output: "table" } } });
  const session = await petstoreOnScreen("config list", { home });
  expect(session.exitCode).toBe(0);
  expect(session.screen()).toEqual([
    "KEY       VALUE                     ORIGIN",
    "profile   default                   default",
    "base-url  http://127.0.0.1:8080/v1  default",
    "output    table                     profile default",
    "timeout   30s                       default",
    "retries   2                         default",
  ]);
  const { stdout } = await petstore("config list -o csv", { home });
  expect(stdout.split("\n").slice(0, 2)).toEqual(["key,value,origin", "profile,default,default"]);
});

test.for([
  ["output", "xml", "output (command line) must be one of table, json, ndjson, csv"],
  [
    "base-url",
    "v1.example",
    "base-url (command line) must be like https://host/v1: did you mean https://v1.example/v1?",
  ],
] as const)("2: config set %s '%s' is rejected", async ([key, value, message], { home }) => {
  const ended = await petstore(["config", "set", key, value], { home });
  expect(ended).toEqual({ ...quiet, exitCode: 2, stderr: `error: ${message}\n` });
  expect(readdirSync(home)).toEqual([]);
});

describe("odd names of profiles", () => {
  test.for(["constructor", "1", "a.b-c_d", "x".repeat(64)])("0: %s is like others", async (profile, { home }) => {
    // Into no file, and into one.
    for (const setting of ["base-url https://host/v1", "output csv"]) {
      expect((await petstore(`config set ${setting} --profile ${profile}`, { home })).exitCode).toBe(0);
    }
    await petstore(`config profiles use ${profile}`, { home });
    expect(await listedSettings({ home }, ["-o", "json"])).toMatchObject({
      profile: [profile, "configuration file"],
      "base-url": ["https://host/v1", `profile ${profile}`],
    });
  });

  test.for(["__proto__", "a b", "../default", "x".repeat(65), "a\n"])(
    "2: none is called %j",
    async (profile, { home }) => {
      const stderr = "error: A profile name must be 1 to 64 letters, digits, dots, dashes and underscores\n";
      const options = { home, environment: { PETSTORE_PROFILE: profile }, input: longKey("any") };
      for (const args of ["config set output csv", "auth login"]) {
        expect(await petstore(args, options)).toEqual({ ...quiet, exitCode: 2, stderr });
      }
      expect(readdirSync(home)).toEqual([]);
    },
  );

  test("0: a profile that is called __proto__ in a file changes no other one", async ({ home }) => {
    saveConfig(home, '{"profiles":{"__proto__":{"output":"csv"},"default":{}}}');
    expect(await listedSettings({ home })).not.toHaveProperty("output");
    await petstore("config set output json", { home });
    expect(readFileSync(configFile(home), "utf8")).toContain('"__proto__": {\n      "output": "csv"\n    }');
  });
});

describe("a saved key", () => {
  const baseUrl = "https://petstore.example/v1";
  const apiKey = longKey("saved");
  const profiles = { default: { "base-url": baseUrl, "api-key": apiKey } };

  test("0: is shown masked, in every form, and a short key not at all", async ({ home }) => {
    saveConfig(home, { profiles });
    for (const format of ["table", "json", "ndjson", "csv"]) {
      const { stdout, stderr } = await petstore(`config list -v -o ${format}`, { home });
      expect(stdout).toContain("pst_test_…aved");
      expect(stdout + stderr).not.toContain(apiKey);
    }
    const environment = { PETSTORE_API_KEY: "short-key-of-something" };
    expect((await listedSettings({ environment }))["api-key"]?.[0]).toBe("…");
  });

  const error = `The profile default has a key for ${baseUrl}`;
  test.for(["http://petstore.example/v1", ""])("2: stays as it is: config set base-url '%s'", async (url, { home }) => {
    saveConfig(home, { profiles });
    const { exitCode, stderr } = await petstore(["config", "set", "base-url", url], { home });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`error: ${error}\nhint: Log out first`)]);
    expect(savedConfig(home)).toEqual({ profiles });
  });

  test("0: allows its own address in another spelling, another profile, and after logout any", async ({ home }) => {
    saveConfig(home, { profiles });
    const other = "https://other.example/v1";
    const exitCodeOf = async (line: string) => (await petstore(line, { home })).exitCode;
    expect(await exitCodeOf("config set base-url https://PETSTORE.example:443/v1/")).toBe(0);
    expect(await exitCodeOf(`config set base-url ${other} --profile other`)).toBe(0);
    expect(await exitCodeOf("auth logout")).toBe(0);
    expect(await exitCodeOf(`config set base-url ${other}`)).toBe(0);
    expect(savedConfig(home)?.profiles).toEqual({ default: { "base-url": other }, other: { "base-url": other } });
  });
});
