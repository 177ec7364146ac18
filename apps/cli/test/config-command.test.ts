import { readdirSync, readFileSync } from "node:fs";
import { temporaryDirectory } from "@petstore/test-kit/processes";
import { describe, expect, test, vi } from "vitest";
import { petstore, petstoreInTerminal, type RunOptions } from "./petstore.ts";
import { configFile, listedSettings, longKey, saveConfig, savedConfig } from "./saved-settings.ts";

vi.setConfig({ testTimeout: 60_000 });

const quiet = { exitCode: 0, signal: null, stdout: "", stderr: "" };

describe("set, get, unset, list", () => {
  test.each([
    ["base-url", "https://petstore.example/v1"],
    ["base-url", "http://127.0.0.1:8080/v1/"],
    ["base-url", "https://[::1]:8443/animals/v1"],
    ["output", "csv"],
    ["color", "never"],
    ["timeout", "1ms"],
    ["timeout", "2m"],
    ["retries", "0"],
    ["retries", "10"],
  ])("0: %s %s is saved, read, and removed again", async (key, value) => {
    using home = temporaryDirectory();
    const options: RunOptions = { home: home.path };
    expect(await petstore(["config", "set", key, value], options)).toEqual({
      ...quiet,
      stderr: `note: ${key} of the profile default is ${value}\n`,
    });
    expect(savedConfig(home.path)).toEqual({ profiles: { default: { [key]: value } } });
    expect(await petstore(["config", "get", key], options)).toEqual({ ...quiet, stdout: `${value}\n` });

    expect(await petstore(["config", "unset", key], options)).toEqual({
      ...quiet,
      stderr: `note: ${key} of the profile default has no saved value any more\n`,
    });
    expect(savedConfig(home.path)).toEqual({ profiles: { default: {} } });
  });

  test("0: the profile to use is saved, read, and removed again, and the profiles stay", async () => {
    using home = temporaryDirectory();
    const profiles = { default: { retries: "1" }, staging: { retries: "7" } };
    saveConfig(home.path, { profiles });
    const options: RunOptions = { home: home.path };
    const set = await petstore(["config", "set", "profile", "staging"], options);
    expect(set).toEqual({ ...quiet, stderr: "note: the profile is staging\n" });
    expect(savedConfig(home.path)).toEqual({ profile: "staging", profiles });
    expect((await petstore(["config", "get", "profile"], options)).stdout).toBe("staging\n");
    expect((await petstore(["config", "get", "retries"], options)).stdout).toBe("7\n");

    const unset = await petstore(["config", "unset", "profile"], options);
    expect(unset).toEqual({ ...quiet, stderr: "note: the profile has no saved value any more\n" });
    expect(savedConfig(home.path)).toEqual({ profiles });
    expect((await petstore(["config", "get", "retries"], options)).stdout).toBe("1\n");
  });

  test("0: a setting goes into the profile that is in use, and what else is saved stays", async () => {
    using home = temporaryDirectory();
    const saved = { profile: "one", profiles: { one: { retries: "1", timeout: "1s" }, two: { retries: "2" } } };
    saveConfig(home.path, saved);
    await petstore(["config", "set", "retries", "5"], { home: home.path });
    await petstore(["config", "set", "retries", "6", "--profile", "two"], { home: home.path });
    await petstore(["config", "set", "retries", "7"], { home: home.path, environment: { PETSTORE_PROFILE: "three" } });
    expect(savedConfig(home.path)).toEqual({
      profile: "one",
      profiles: { one: { retries: "5", timeout: "1s" }, two: { retries: "6" }, three: { retries: "7" } },
    });
  });

  test("0: a value that nobody gave is an empty answer, and removing it writes nothing", async () => {
    expect(await petstore(["config", "get", "output"])).toEqual({ ...quiet, stderr: "note: output has no value\n" });

    using home = temporaryDirectory();
    const unset = await petstore(["config", "unset", "output", "--profile", "typo"], { home: home.path });
    expect(unset).toEqual({ ...quiet, stderr: "note: output of the profile typo has no saved value\n" });
    expect(readdirSync(home.path)).toEqual([]);
  });

  test("0: without settings, list shows the defaults", async () => {
    using home = temporaryDirectory();
    expect(await listedSettings({ home: home.path })).toEqual({
      profile: ["default", "default"],
      "base-url": ["http://127.0.0.1:8080/v1", "default"],
      color: ["auto", "default"],
      timeout: ["30s", "default"],
      retries: ["2", "default"],
    });
  });

  test("0: list is a table at a terminal, and CSV where it is asked for", async () => {
    using home = temporaryDirectory();
    saveConfig(home.path, { profiles: { default: { timeout: "7s" } } });
    await using session = petstoreInTerminal(["config", "list"], { home: home.path });
    expect(await session.ended).toEqual({ exitCode: 0, signal: null });
    expect(session.screen()).toEqual([
      "KEY       VALUE                     ORIGIN",
      "profile   default                   default",
      "base-url  http://127.0.0.1:8080/v1  default",
      "color     auto                      default",
      "timeout   7s                        profile default",
      "retries   2                         default",
    ]);
    const { stdout } = await petstore(["config", "list", "-o", "csv"], { home: home.path });
    expect(stdout.split("\n").slice(0, 2)).toEqual(["key,value,origin", "profile,default,default"]);
  });

  test.each([
    ["timeout", "soon", "timeout (command line) must be a time like 500ms, 30s or 2m"],
    ["timeout", "", "timeout (command line) must be a time like 500ms, 30s or 2m"],
    ["retries", "11", "retries (command line) must be a whole number from 0 to 10"],
    ["output", "xml", "output (command line) must be one of table, json, ndjson, csv"],
    ["color", "purple", "color (command line) must be one of auto, always, never"],
    [
      "base-url",
      "petstore.example",
      "base-url (command line) must be like https://host/v1: did you mean https://petstore.example/v1?",
    ],
    ["profile", "", "A profile is named with 1 to 64 letters, digits, dots, dashes and underscores"],
  ])("2: %s is not set to '%s'", async (key, value, message) => {
    using home = temporaryDirectory();
    const ended = await petstore(["config", "set", key, value], { home: home.path });
    expect(ended).toEqual({ ...quiet, exitCode: 2, stderr: `error: ${message}\n` });
    expect(readdirSync(home.path)).toEqual([]);
  });

  test.each(["get", "set", "unset"])("2: %s refuses a key that does not exist, with those that do", async (command) => {
    const { exitCode, stderr } = await petstore(
      ["config", command, "colour", "never"].slice(0, command === "set" ? 4 : 3),
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain("'colour' is invalid");
    expect(stderr).toContain("profile, base-url, api-key, output, color, timeout, retries");
  });
});

describe("odd names of profiles", () => {
  test.each(["constructor", "toString", "hasOwnProperty", "1", "a.b-c_d", "x".repeat(64)])(
    "0: %s is a profile like others",
    async (profile) => {
      using home = temporaryDirectory();
      const options: RunOptions = { home: home.path };
      const isNew = await listedSettings(options, ["--profile", profile]);
      expect(isNew).toMatchObject({ timeout: ["30s", "default"] });

      // Into no file, and into one.
      for (const [key, value] of [
        ["timeout", "7s"],
        ["retries", "7"],
      ] as const) {
        expect((await petstore(["config", "set", key, value, "--profile", profile], options)).exitCode).toBe(0);
      }
      await petstore(["config", "set", "profile", profile], options);
      expect(await listedSettings(options)).toMatchObject({
        profile: [profile, "configuration file"],
        timeout: ["7s", `profile ${profile}`],
        retries: ["7", `profile ${profile}`],
      });
      expect(await listedSettings(options, ["--profile", "default"])).toMatchObject({ timeout: ["30s", "default"] });
    },
  );

  test.each(["__proto__", "-x", "a b", "../default", "a/b", "x".repeat(65), "ключ", "a\n"])(
    "2: none is called %j",
    async (profile) => {
      using home = temporaryDirectory();
      const refused = {
        ...quiet,
        exitCode: 2,
        stderr: "error: A profile is named with 1 to 64 letters, digits, dots, dashes and underscores\n",
      };
      const environment = { PETSTORE_PROFILE: profile };
      expect(await petstore(["config", "set", "timeout", "7s"], { home: home.path, environment })).toEqual(refused);
      expect(await petstore(["auth", "login"], { home: home.path, environment, input: longKey("any") })).toEqual(
        refused,
      );
      expect(await petstore(["config", "set", "profile", "--", profile], { home: home.path })).toEqual(refused);
      expect(readdirSync(home.path)).toEqual([]);
    },
  );

  test("0: a profile that is called __proto__ in a file changes no other one", async () => {
    using home = temporaryDirectory();
    saveConfig(home.path, '{"profiles":{"__proto__":{"timeout":"7s"},"default":{}}}');
    expect(await listedSettings({ home: home.path })).toMatchObject({ timeout: ["30s", "default"] });
    await petstore(["config", "set", "retries", "5"], { home: home.path });
    expect(readFileSync(configFile(home.path), "utf8")).toContain('"__proto__": {\n      "timeout": "7s"\n    }');
  });
});

describe("a saved key", () => {
  const baseUrl = "https://petstore.example/v1";
  const apiKey = longKey("saved");
  const profiles = { default: { "base-url": baseUrl, "api-key": apiKey } };

  test("0: is shown masked, in every form", async () => {
    using home = temporaryDirectory();
    saveConfig(home.path, { profiles });
    expect(await petstore(["config", "get", "api-key"], { home: home.path })).toEqual({
      ...quiet,
      stdout: "pst_test_…aved\n",
    });
    for (const format of ["table", "json", "ndjson", "csv"]) {
      const { stdout, stderr } = await petstore(["config", "list", "-v", "-o", format], { home: home.path });
      expect(stdout).toContain("pst_test_…aved");
      expect(stdout + stderr).not.toContain(apiKey);
    }
  });

  test("0: one that is short is not shown at all", async () => {
    const environment = { PETSTORE_API_KEY: "short-key-of-something" };
    expect((await petstore(["config", "get", "api-key"], { environment })).stdout).toBe("…\n");
  });

  test.each([
    [
      "set",
      [longKey("other")],
      "An API key is not for the command line, where others can read it",
      "Use: petstore auth login",
    ],
    ["unset", [], "A saved key is removed by: petstore auth logout", undefined],
  ])("2: is not for config %s", async (command, value, error, hint) => {
    using home = temporaryDirectory();
    saveConfig(home.path, { profiles });
    const ended = await petstore(["config", command, "api-key", ...value], { home: home.path });
    const lines = [`error: ${error}`, ...(hint === undefined ? [] : [`hint: ${hint}`])];
    expect(ended).toEqual({ ...quiet, exitCode: 2, stderr: `${lines.join("\n")}\n` });
    expect(savedConfig(home.path)).toEqual({ profiles });
  });

  test.each([
    [
      "set",
      ["https://other.example/v1"],
      "Log out first, or log in to the new address: petstore auth login --base-url https://other.example/v1",
    ],
    [
      "set",
      ["http://petstore.example/v1"],
      "Log out first, or log in to the new address: petstore auth login --base-url http://petstore.example/v1",
    ],
    ["unset", [], "Log out first: petstore auth logout"],
  ])("2: keeps its address: config %s base-url %s", async (command, value, hint) => {
    using home = temporaryDirectory();
    saveConfig(home.path, { profiles });
    const ended = await petstore(["config", command, "base-url", ...value], { home: home.path });
    const stderr = `error: The profile default has a key for ${baseUrl}\nhint: ${hint}\n`;
    expect(ended).toEqual({ ...quiet, exitCode: 2, stderr });
    expect(savedConfig(home.path)).toEqual({ profiles });
  });

  test("2: without an address, as an editor may leave it, gets none by accident", async () => {
    using home = temporaryDirectory();
    saveConfig(home.path, { profiles: { default: { "api-key": apiKey } } });
    const { exitCode, stderr } = await petstore(["config", "set", "base-url", baseUrl], { home: home.path });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("error: The profile default has a key for an address that is not saved\n");
    expect((await petstore(["config", "get", "api-key"], { home: home.path })).stdout).toBe("");
  });

  test("0: allows its own address in another spelling, another profile, and after logout any", async () => {
    using home = temporaryDirectory();
    saveConfig(home.path, { profiles });
    const options: RunOptions = { home: home.path };
    const other = "https://other.example/v1";
    expect((await petstore(["config", "set", "base-url", "HTTPS://petstore.example:443/v1/"], options)).exitCode).toBe(
      2,
    );
    expect((await petstore(["config", "set", "base-url", "https://PETSTORE.example:443/v1/"], options)).exitCode).toBe(
      0,
    );
    expect((await petstore(["config", "get", "api-key"], options)).stdout).toBe("pst_test_…aved\n");
    expect((await petstore(["config", "set", "base-url", other, "--profile", "other"], options)).exitCode).toBe(0);
    expect((await petstore(["auth", "logout"], options)).exitCode).toBe(0);
    expect((await petstore(["config", "set", "base-url", other], options)).exitCode).toBe(0);
    expect(savedConfig(home.path)).toEqual({
      profiles: { default: { "base-url": other }, other: { "base-url": other } },
    });
  });
});
