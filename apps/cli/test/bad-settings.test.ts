import { startServer } from "@petstore/server/start-server";
import { temporaryDirectory } from "@petstore/test-kit/processes";
import { describe, expect, test, vi } from "vitest";
import { connected, petstore, type RunOptions } from "./petstore.ts";
import { give, longKey, saveConfig, type SavedConfig } from "./saved-settings.ts";

vi.setConfig({ testTimeout: 60_000 });

const urlForm = "must be like https://host/v1";
const timeForm = "must be a time like 500ms, 30s or 2m";
const countForm = "must be a whole number from 0 to 10";

describe("a bad value is refused by the name of who gave it, before anything is sent", () => {
  test.each<[key: string, origin: string, given: string, problem: string]>([
    ["base-url", "flag --base-url", "localhost:8080", `${urlForm}: did you mean http://localhost:8080/v1?`],
    ["base-url", "flag --base-url", "127.0.0.1:8080/v1", `${urlForm}: did you mean http://127.0.0.1:8080/v1?`],
    [
      "base-url",
      "environment PETSTORE_BASE_URL",
      "https://petstore.example",
      `${urlForm}: did you mean https://petstore.example/v1?`,
    ],
    [
      "base-url",
      "environment PETSTORE_BASE_URL",
      "petstore.example/v1",
      `${urlForm}: did you mean https://petstore.example/v1?`,
    ],
    [
      "base-url",
      "environment PETSTORE_BASE_URL",
      "https://petstore.example/v2/",
      `${urlForm}: did you mean https://petstore.example/v2/v1?`,
    ],
    ["base-url", "profile default", "https://petstore.example/v1?verbose=1", urlForm],
    ["base-url", "profile default", "https://user:password@petstore.example/v1", urlForm],
    ["api-key", "environment PETSTORE_API_KEY", "two words", "must be an API key, like pst_live_…"],
    ["api-key", "profile default", "ключ", "must be an API key, like pst_live_…"],
    ["output", "environment PETSTORE_OUTPUT", "xml", "must be one of table, json, ndjson, csv"],
    ["output", "profile default", "JSON", "must be one of table, json, ndjson, csv"],
    ["color", "profile default", "purple", "must be one of auto, always, never"],
    ["timeout", "flag --timeout", "30", timeForm],
    ["timeout", "flag --timeout", "-1s", timeForm],
    ["timeout", "flag --timeout", "1.5s", timeForm],
    ["timeout", "environment PETSTORE_TIMEOUT", "0s", timeForm],
    ["timeout", "environment PETSTORE_TIMEOUT", "1h", timeForm],
    ["timeout", "environment PETSTORE_TIMEOUT", " 30s", timeForm],
    ["timeout", "profile default", "40000m", timeForm],
    ["timeout", "profile default", "9999999ms", timeForm],
    ["retries", "flag --retries", "-1", countForm],
    ["retries", "flag --retries", "11", countForm],
    ["retries", "environment PETSTORE_RETRIES", "1.5", countForm],
    ["retries", "environment PETSTORE_RETRIES", "two", countForm],
    ["retries", "profile default", "01", countForm],
  ])("2: %s (%s): %s", async (key, origin, given, problem) => {
    using home = temporaryDirectory();
    await using server = await startServer();
    const bad = give(home.path, key, [{ origin, given }], { "base-url": server.url, "api-key": server.apiKey });
    const ended = await petstore(["pets", "list", ...bad.args], { home: home.path, environment: bad.environment });
    expect(ended).toEqual({ exitCode: 2, signal: null, stdout: "", stderr: `error: ${key} (${origin}) ${problem}\n` });
    expect(server.logs).toEqual([]);
  });

  test.each([
    ["--output", "xml", "table, json, ndjson, csv"],
    ["--color", "purple", "auto, always, never"],
  ])("2: %s %s", async (flag, given, choices) => {
    await using server = await startServer();
    const { exitCode, stdout, stderr } = await petstore(["pets", "list", flag, given], {
      environment: connected(server),
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(`argument '${given}' is invalid. It must be one of ${choices}`);
    expect(stderr).toContain(flag);
    expect(server.logs).toEqual([]);
  });
});

describe("a profile that does not exist", () => {
  const profiles = { production: {}, staging: {} };

  test.each<[origin: string, SavedConfig, Pick<RunOptions, "environment">, string[]]>([
    ["flag --profile", { profiles }, {}, ["--profile", "stagin"]],
    ["environment PETSTORE_PROFILE", { profiles }, { environment: { PETSTORE_PROFILE: "stagin" } }, []],
    ["configuration file", { profile: "stagin", profiles }, {}, []],
  ])("2: is refused by the name of who chose it (%s), with those that exist", async (origin, config, options, args) => {
    using home = temporaryDirectory();
    await using server = await startServer();
    saveConfig(home.path, config);
    const ended = await petstore(["pets", "list", ...args], {
      home: home.path,
      environment: { ...connected(server), ...options.environment },
    });
    expect(ended).toEqual({
      exitCode: 2,
      signal: null,
      stdout: "",
      stderr: `error: There is no profile stagin (${origin})\nhint: Profiles: production, staging. Make it with: petstore auth login --profile stagin\n`,
    });
    expect(server.logs).toEqual([]);
  });

  test.each(["constructor", "toString", "__proto__"])(
    "2: is refused when it is called %s, with and without a file",
    async (name) => {
      using home = temporaryDirectory();
      const options: RunOptions = { home: home.path, environment: { PETSTORE_API_KEY: longKey("any") } };
      const { exitCode, stderr } = await petstore(["auth", "status", "--profile", name], options);
      expect({ exitCode, stderr }).toEqual({
        exitCode: 2,
        stderr: `error: There is no profile ${name} (flag --profile)\nhint: There are no profiles yet. Make it with: petstore auth login --profile ${name}\n`,
      });
      saveConfig(home.path, { profiles });
      expect(await petstore(["auth", "status", "--profile", name], options)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(`There is no profile ${name} (flag --profile)`),
      });
    },
  );
});
