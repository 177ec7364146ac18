import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { test } from "../support/fixtures.ts";
import { listNothing, startRecorder, unusedAddress } from "../support/other-servers.ts";
import { petstore } from "../support/petstore.ts";
import { leaveDevelopmentFiles, longKey, saveLogin } from "../support/saved-settings.ts";

/**
 * Gives a setting in one of its sources. Returns its part of the command line and of the
 * environment.
 */
function give(
  home: string,
  origin: string,
  value: string,
): { flags: string[]; environment: Record<string, string> } {
  const [kind, name = ""] = origin.split(" ");
  if (kind === "petstore") saveLogin(home, { baseUrl: value, apiKey: longKey("saved") });
  if (kind === "development") leaveDevelopmentFiles(home, value);
  return {
    flags: kind === "flag" ? [name, value] : [],
    environment: kind === "environment" ? { [name]: value } : {},
  };
}

/** Gives a setting in several sources, and runs a command. */
async function runWith(
  home: string,
  line: string,
  given: readonly (readonly [origin: string, value: string])[],
) {
  const parts = given.map(([origin, value]) => give(home, origin, value));
  const environment = Object.assign({}, ...parts.map((part) => part.environment)) as Record<
    string,
    string
  >;
  return await petstore([...line.split(" "), ...parts.flatMap(({ flags }) => flags)], {
    home,
    environment,
  });
}

const addressOrigins = [
  "flag --base-url",
  "environment PETSTORE_BASE_URL",
  "petstore auth login",
  "development server",
] as const;

test.for(addressOrigins)(
  "9: the address of the %s precedes those after it, and is named",
  async (origin, { home }) => {
    const sources = addressOrigins.slice(addressOrigins.indexOf(origin));
    const given = await Promise.all(
      sources.map(async (each) => [each, await unusedAddress()] as const),
    );
    const key =
      origin === "development server"
        ? []
        : ([["environment PETSTORE_API_KEY", longKey("any")]] as const);
    const { exitCode, stderr } = await runWith(home, "pets list --retries 0", [...given, ...key]);
    expect(exitCode).toBe(9);
    expect(stderr).toContain(`The address ${given[0]?.[1]} comes from: ${origin}`);
  },
);

test("0: the key comes from the environment, the login or the development server, and is shown masked", async ({
  home,
}) => {
  await using server = await startRecorder(listNothing);
  async function keyNow(environment = {}): Promise<unknown> {
    const { exitCode, stdout } = await petstore("auth status", { home, environment });
    expect(exitCode).toBe(0);
    return JSON.parse(stdout);
  }
  const baseUrl = server.url;
  leaveDevelopmentFiles(home, baseUrl);
  expect(await keyNow()).toEqual({
    baseUrl,
    apiKey: "pst_test_…ment",
    origin: "development server",
  });

  saveLogin(home, { baseUrl, apiKey: longKey("saved") });
  expect(await keyNow()).toEqual({
    baseUrl,
    apiKey: "pst_test_…aved",
    origin: "petstore auth login",
  });

  const variable = await keyNow({ PETSTORE_API_KEY: longKey("variable") });
  expect(variable).toEqual({
    baseUrl,
    apiKey: "pst_test_…able",
    origin: "environment PETSTORE_API_KEY",
  });
});

test("0: empty variables count as unset", async ({ home }) => {
  await using server = await startRecorder(listNothing);
  leaveDevelopmentFiles(home, server.url);
  const names = ["BASE_URL", "API_KEY", "OUTPUT", "TIMEOUT", "RETRIES"].map(
    (name) => `PETSTORE_${name}`,
  );
  const environment = Object.fromEntries(names.map((name) => [name, ""]));
  expect(await petstore("pets list --quiet", { home, environment })).toMatchObject({
    exitCode: 0,
    stdout: "",
  });
  expect(server.received).toHaveLength(1);
});

test("2: a key in the environment needs an address: any user may listen at the default one, or be a development server", async ({
  home,
}) => {
  await using server = await startRecorder(listNothing);
  leaveDevelopmentFiles(home, server.url);
  const environment = { PETSTORE_API_KEY: longKey("production") };
  const message = "PETSTORE_API_KEY is set without an address to send it to";
  const stderr = `error: ${message}\nhint: Set PETSTORE_BASE_URL too, or use --base-url\n`;
  expect(await petstore("pets list", { home, environment })).toMatchObject({ exitCode: 2, stderr });
  expect(server.received).toEqual([]);
});

test.for<[notes: number, line: string, url: string]>([
  [1, "pets list --all", "http://192.0.2.1/v1"],
  [1, "auth status --quiet", "http://192.0.2.1/v1"],
  [0, "pets list", "http://localhost:9/v1"],
  [0, "pets list", "https://192.0.2.1/v1"],
])(
  "9: warns %i times that a key is sent unencrypted over the network: %s at %s",
  async ([notes, line, url]) => {
    const server = { url, apiKey: longKey("any") };
    const { exitCode, stderr } = await petstore(`${line} --timeout 100ms --retries 1`, { server });
    expect(exitCode).toBe(9);
    expect(
      stderr.match(/is not encrypted: others on the network can read the API key/g) ?? [],
    ).toHaveLength(notes);
  },
);

test("9: the variables for the time and the retries of a request are obeyed", async () => {
  await using server = await startRecorder(() => {});
  const environment = { PETSTORE_TIMEOUT: "100ms", PETSTORE_RETRIES: "1" };
  const { exitCode, stderr } = await petstore("pets list", { server, environment });
  expect(exitCode).toBe(9);
  expect(stderr).toContain("timed out after 100 ms (attempt 2 of 2)");
  expect(server.received).toHaveLength(2);
});

const urlForm = "must be like https://host/v1";
const keyForm = "must be an API key, like pst_live_…";
const formatForm = "must be one of table, json, ndjson, csv";
const timeForm = "must be a time like 500ms, 30s or 2m";
const countForm = "must be a whole number from 0 to 10";

function guess(url: string): string {
  return `${urlForm}: did you mean ${url}?`;
}

test("every variable that the source names is in the README", () => {
  const root = join(import.meta.dirname, "../..");
  const sources = globSync("src/**/*.ts", { cwd: root }).map((file) =>
    readFileSync(join(root, file), "utf8"),
  );
  const names = sources.join("\n").match(/\b(?:PETSTORE|XDG|NO|FORCE|HTTPS?|ALL)(?:_[A-Z]+)+\b/g);
  const documented = readFileSync(join(root, "README.md"), "utf8").match(/\b[A-Z]+(?:_[A-Z]+)+\b/g);
  expect(names).toEqual(expect.arrayContaining(["PETSTORE_LOG", "PETSTORE_BASE_URL"]));
  expect(documented).toEqual(expect.arrayContaining(names ?? []));
});

describe("a bad value is rejected with its source, before anything is sent", () => {
  const fromVariable = "environment PETSTORE_BASE_URL";
  test.for<[key: string, origin: string, given: string, problem: string]>([
    ["base-url", "flag --base-url", "localhost:8080", guess("http://localhost:8080/v1")],
    ["base-url", fromVariable, "https://petstore.example", guess("https://petstore.example/v1")],
    [
      "base-url",
      "petstore auth login",
      "https://petstore.example/v1?verbose=1",
      guess("https://petstore.example/v1"),
    ],
    [
      "base-url",
      fromVariable,
      "https://petstore.example/v1/pets",
      guess("https://petstore.example/v1"),
    ],
    [
      "base-url",
      fromVariable,
      "petstore.example/a/v1/pets/17#top",
      guess("https://petstore.example/a/v1"),
    ],
    ["base-url", fromVariable, "https://user:secret@petstore.example/v1", urlForm],
    ["api-key", "environment PETSTORE_API_KEY", "two words", keyForm],
    ["output", "environment PETSTORE_OUTPUT", "xml", formatForm],
    ["timeout", "flag --timeout", "30", timeForm],
    ["timeout", "environment PETSTORE_TIMEOUT", "0s", timeForm],
    ["retries", "environment PETSTORE_RETRIES", "1.5", countForm],
  ])("2: %s (%s): %s", async ([key, origin, given, problem], { home, server }) => {
    saveLogin(home, { baseUrl: server.url, apiKey: server.apiKey });
    const ended = await runWith(home, "pets list", [[origin, given]]);
    const stderr = `error: ${key} (${origin}) ${problem}\nhint: See petstore --help\n`;
    expect(ended).toEqual({ exitCode: 2, signal: null, stdout: "", stderr });
    expect(server.logs).toEqual([]);
  });
});
