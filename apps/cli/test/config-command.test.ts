import { readdirSync, readFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { test } from "./fixtures.ts";
import { petstore, petstoreOnScreen } from "./petstore.ts";
import { configFile, listedSettings, longKey, saveConfig, savedConfig } from "./saved-settings.ts";

const quiet = { exitCode: 0, signal: null, stdout: "", stderr: "" };

test.for([
  ["base-url", "https://[::1]:8443/animals/v1"],
  ["output", "csv"],
  ["color", "never"],
  ["timeout", "2m"],
  ["retries", "0"],
] as const)("0: config set %s %s: it is saved, read, and removed again", async ([key, value], { home }) => {
  const set = await petstore(`config set ${key} ${value}`, { home });
  expect(set).toEqual({ ...quiet, stderr: `note: ${key} of the profile default is now ${value}\n` });
  expect(savedConfig(home)).toEqual({ profiles: { default: { [key]: value } } });
  expect(await petstore(`config get ${key}`, { home })).toEqual({ ...quiet, stdout: `${value}\n` });

  const unset = await petstore(`config unset ${key}`, { home });
  expect(unset).toEqual({ ...quiet, stderr: `note: ${key} of the profile default no longer has a saved value\n` });
  expect(savedConfig(home)).toEqual({ profiles: { default: {} } });
});

test("0: the profile to use is saved and removed again, and the profiles stay", async ({ home }) => {
  const profiles = { default: { retries: "1" }, staging: { retries: "7" } };
  saveConfig(home, { profiles });
  const set = await petstore("config set profile staging", { home });
  expect(set).toEqual({ ...quiet, stderr: "note: the profile is now staging\n" });
  expect(savedConfig(home)).toEqual({ profile: "staging", profiles });
  expect(await listedSettings({ home })).toMatchObject({ retries: ["7", "profile staging"] });

  const unset = await petstore("config unset profile", { home });
  expect(unset).toEqual({ ...quiet, stderr: "note: the profile no longer has a saved value\n" });
  expect(savedConfig(home)).toEqual({ profiles });
});

test("0: a setting goes into the profile in use, and other settings stay", async ({ home }) => {
  const saved = { profile: "one", profiles: { one: { retries: "1", timeout: "1s" }, two: { retries: "2" } } };
  saveConfig(home, saved);
  await petstore("config set retries 5", { home });
  await petstore("config set retries 6 --profile two", { home });
  await petstore("config set retries 7", { home, environment: { PETSTORE_PROFILE: "three" } });
  expect(savedConfig(home)).toEqual({
    profile: "one",
    profiles: { one: { retries: "5", timeout: "1s" }, two: { retries: "6" }, three: { retries: "7" } },
  });
});

test("0: config list is a table at a terminal, with the defaults, and CSV on request", async ({ home }) => {
  saveConfig(home, { profiles: { default: { timeout: "7s" } } });
  const session = await petstoreOnScreen("config list", { home });
  expect(session.exitCode).toBe(0);
  expect(session.screen()).toEqual([
    "KEY       VALUE                     ORIGIN",
    "profile   default                   default",
    "base-url  http://127.0.0.1:8080/v1  default",
    "color     auto                      default",
    "timeout   7s                        profile default",
    "retries   2                         default",
  ]);
  const { stdout } = await petstore("config list -o csv", { home });
  expect(stdout.split("\n").slice(0, 2)).toEqual(["key,value,origin", "profile,default,default"]);
});

test.for([
  ["timeout", "", "timeout (command line) must be a time like 500ms, 30s or 2m"],
  ["retries", "11", "retries (command line) must be a whole number from 0 to 10"],
  ["output", "xml", "output (command line) must be one of table, json, ndjson, csv"],
  ["color", "purple", "color (command line) must be one of auto, always, never"],
  [
    "base-url",
    "v1.example",
    "base-url (command line) must be like https://host/v1: did you mean https://v1.example/v1?",
  ],
  ["profile", "", "A profile name must be 1 to 64 letters, digits, dots, dashes and underscores"],
] as const)("2: config set %s '%s' is rejected", async ([key, value, message], { home }) => {
  const ended = await petstore(["config", "set", key, value], { home });
  expect(ended).toEqual({ ...quiet, exitCode: 2, stderr: `error: ${message}\n` });
  expect(readdirSync(home)).toEqual([]);
});

describe("odd names of profiles", () => {
  test.for(["constructor", "1", "a.b-c_d", "x".repeat(64)])("0: %s is like others", async (profile, { home }) => {
    // Into no file, and into one.
    for (const setting of ["timeout 7s", "retries 7"]) {
      expect((await petstore(`config set ${setting} --profile ${profile}`, { home })).exitCode).toBe(0);
    }
    await petstore(`config set profile ${profile}`, { home });
    expect(await listedSettings({ home })).toMatchObject({
      profile: [profile, "configuration file"],
      timeout: ["7s", `profile ${profile}`],
      retries: ["7", `profile ${profile}`],
    });
    expect(await listedSettings({ home }, ["--profile", "default"])).toMatchObject({ timeout: ["30s", "default"] });
  });

  test.for(["__proto__", "a b", "../default", "x".repeat(65), "a\n"])(
    "2: none is called %j",
    async (profile, { home }) => {
      const stderr = "error: A profile name must be 1 to 64 letters, digits, dots, dashes and underscores\n";
      const options = { home, environment: { PETSTORE_PROFILE: profile }, input: longKey("any") };
      for (const args of ["config set timeout 7s", "auth login", ["config", "set", "profile", "--", profile]]) {
        expect(await petstore(args, options)).toEqual({ ...quiet, exitCode: 2, stderr });
      }
      expect(readdirSync(home)).toEqual([]);
    },
  );

  test("0: a profile that is called __proto__ in a file changes no other one", async ({ home }) => {
    saveConfig(home, '{"profiles":{"__proto__":{"timeout":"7s"},"default":{}}}');
    expect(await listedSettings({ home })).toMatchObject({ timeout: ["30s", "default"] });
    await petstore("config set retries 5", { home });
    expect(readFileSync(configFile(home), "utf8")).toContain('"__proto__": {\n      "timeout": "7s"\n    }');
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

  const noArgument =
    "An API key must not be on the command line, where others can read it\nhint: Use: petstore auth login";
  const hasKey = `The profile default has a key for ${baseUrl}\nhint: Log out first`;
  const logInThere = `${hasKey}, or log in to the new address: petstore auth login --base-url`;
  test.for([
    [`set api-key ${longKey("other")}`, noArgument],
    ["unset api-key", "To remove a saved key, use: petstore auth logout"],
    ["set base-url http://petstore.example/v1", `${logInThere} http://petstore.example/v1`],
    ["unset base-url", `${hasKey}: petstore auth logout`],
  ] as const)("2: stays as it is, with its address: config %s", async ([command, error], { home }) => {
    saveConfig(home, { profiles });
    const ended = await petstore(`config ${command}`, { home });
    expect(ended).toEqual({ ...quiet, exitCode: 2, stderr: `error: ${error}\n` });
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
