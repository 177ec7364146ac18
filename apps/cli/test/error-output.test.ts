import { startServer } from "@petstore/server/start-server";
import { start, temporaryDirectory, type Ended } from "@petstore/test-kit/processes";
import { describe, expect, test, vi } from "vitest";
import { startRecorder, type Recorder } from "./other-servers.ts";
import { binary, connected, petstore, petstoreInTerminal } from "./petstore.ts";
import { configFile, longKey, saveConfig } from "./saved-settings.ts";

vi.setConfig({ testTimeout: 30_000 });

const key = longKey("errors");

function reaching(url: string): { PETSTORE_BASE_URL: string; PETSTORE_API_KEY: string; PETSTORE_RETRIES: string } {
  return { PETSTORE_BASE_URL: url, PETSTORE_API_KEY: key, PETSTORE_RETRIES: "0" };
}

/** A server that refuses everything with a message. */
async function startRefusing(message: string, requestId = "request-7"): Promise<Recorder> {
  const body = JSON.stringify({ code: "invalid_request", message, status: 400 });
  return await startRecorder((_request, response) => response.writeHead(400, { "X-Request-Id": requestId }).end(body));
}

describe("a program that asks for JSON is told in one line of it, and a person in words", () => {
  const failures: [args: string[], environment: Record<string, string>, code: string][] = [
    [["pets", "list"], {}, "invalid_request"],
    [["pets", "list"], { PETSTORE_BASE_URL: "http://127.0.0.1:1/v1" }, "network"],
    [["pets", "list"], { PETSTORE_API_KEY: "" }, "no_api_key"],
    [["pets", "lst"], {}, "usage"],
    [["pets", "list", "--max", "0"], {}, "usage"],
    [["pets", "create", "--file", "missing"], {}, "usage"],
    [["pets", "list"], { PETSTORE_TIMEOUT: "soon" }, "usage"],
  ];

  test.each<[who: string, flags: string[], environment: Record<string, string>, profile: Record<string, string>]>([
    ["-o json", ["-o", "json"], { PETSTORE_OUTPUT: "table" }, { output: "csv" }],
    ["--output=ndjson", ["--output=ndjson"], {}, {}],
    ["PETSTORE_OUTPUT=json", [], { PETSTORE_OUTPUT: "json" }, { output: "table" }],
    ["a profile with output ndjson", [], {}, { output: "ndjson" }],
  ])("0-9: JSON for %s", async (_who, flags, environment, profile) => {
    await using server = await startRefusing("No.");
    for (const [args, more, code] of failures) {
      using home = temporaryDirectory();
      saveConfig(home.path, { profiles: { default: profile } });
      const options = { home: home.path, environment: { ...reaching(server.url), ...environment, ...more } };
      const { stdout, stderr } = await petstore([...flags, ...args], options);
      expect({ stdout, told: JSON.parse(stderr) as unknown, lines: stderr.split("\n").length }).toEqual({
        stdout: "",
        told: { error: expect.objectContaining({ code, exitCode: expect.any(Number) }) },
        lines: 2,
      });
    }
  });

  test.each<[who: string, flags: string[], environment: Record<string, string>, profile: Record<string, string>]>([
    ["nobody who says otherwise", [], {}, {}],
    ["-o table", ["-o", "table"], { PETSTORE_OUTPUT: "json" }, { output: "json" }],
    ["-o csv", ["-o", "csv"], {}, { output: "ndjson" }],
    ["PETSTORE_OUTPUT=csv", [], { PETSTORE_OUTPUT: "csv" }, { output: "json" }],
    ["a value that is none", [], { PETSTORE_OUTPUT: "xml" }, { output: "json" }],
  ])("0-9: words for %s", async (_who, flags, environment, profile) => {
    await using server = await startRefusing("No.");
    for (const [args, more] of failures) {
      using home = temporaryDirectory();
      saveConfig(home.path, { profiles: { default: profile } });
      const options = { home: home.path, environment: { ...reaching(server.url), ...environment, ...more } };
      const { stdout, stderr } = await petstore([...flags, ...args], options);
      expect({ stdout, stderr }).toEqual({ stdout: "", stderr: expect.stringMatching(/^error: \S/) });
    }
  });

  test("2: a damaged configuration file, in words: nobody knows what it asks for", async () => {
    using home = temporaryDirectory();
    saveConfig(home.path, '{"profiles": {"default": {"output": "json"}');
    const { exitCode, stderr } = await petstore(["config", "list"], { home: home.path });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringMatching(`^error: The configuration file ${configFile(home.path)} is damaged\nhint: `),
    });
  });
});

describe("what a terminal would obey is not passed on to it", () => {
  const message = "Red \u001b[31m, bell \u0007, C1 \u009b2J, \u202eturned\nerror: another line\rover";
  const shown = String.raw`Red \u001b[31m, bell \u0007, C1 \u009b2J, \u202eturned\u000aerror: another line\u000dover`;

  test("3: of a message and a request id, in words", async () => {
    await using server = await startRefusing(message, "id \u009b31m");
    const options = { environment: reaching(server.url), columns: 300 };
    await using session = petstoreInTerminal(["pets", "list", "-v", "--color", "never"], options);
    expect(await session.ended).toEqual({ exitCode: 3, signal: null });
    const [request, response, ...told] = session.raw().split("\r\n");
    expect([request, response]).toEqual([expect.stringMatching(/^> listPets /), expect.stringMatching(/\\u009b31m$/)]);
    expect(told).toEqual([`error: listPets: ${shown} (400 invalid_request)`, String.raw`request id: id \u009b31m`, ""]);
  });

  test("3: of a message, as JSON that means the same", async () => {
    await using server = await startRefusing(message);
    const { stderr } = await petstore(["pets", "list", "-o", "json"], { environment: reaching(server.url) });
    expect(stderr).not.toMatch(/[\p{Cc}\p{Bidi_Control}](?!$)/u);
    expect(JSON.parse(stderr)).toMatchObject({ error: { message: `listPets: ${message} (400 invalid_request)` } });
  });

  test("2: of a command line", async () => {
    const { stderr } = await petstore(["pets", "\u001b[31mred\nerror: x"]);
    expect(stderr).toBe(
      `error: unknown command '${String.raw`\u001b[31mred\u000aerror: x`}'\nhint: See petstore pets --help\n`,
    );
  });
});

test("3: error and hint stand out on a terminal", async () => {
  await using server = await startServer();
  const options = { environment: { ...connected(server), PETSTORE_API_KEY: key } };
  await using session = petstoreInTerminal(["pets", "list"], options);
  await session.ended;
  expect(session.find("error:")).toMatchObject({ row: 0, column: 0, bold: true, foreground: "red" });
  expect(session.find("hint:")).toMatchObject({ row: 1, column: 0, bold: true, foreground: undefined });
  expect(session.style(0, 8)).toEqual({ bold: false, dim: false, foreground: undefined });
});

describe("the key is in no output", () => {
  test("3: also when the service says what it was sent", async () => {
    await using server = await startRefusing(`You have sent Bearer ${key}.`);
    for (const flags of [[], ["-o", "json"]]) {
      const { stderr } = await petstore(["pets", "list", ...flags], { environment: reaching(server.url) });
      expect(stderr).toContain("You have sent Bearer pst_test_…rors.");
      expect(stderr).not.toContain(key);
    }
  });

  test.each(["doctor", "pets list -v", "doctor -o json"])("3: also when it says so to %s", async (line) => {
    await using server = await startRefusing(`You have sent Bearer ${key}.`);
    const { stdout, stderr } = await petstore(line.split(" "), { environment: reaching(server.url) });
    expect(stdout + stderr).toContain("You have sent Bearer pst_test_…rors.");
    expect(stdout + stderr).not.toContain(key);
  });

  test("2: also when somebody takes it for an argument", async () => {
    const { exitCode, stderr } = await petstore(["auth", "login", key]);
    const told =
      "error: too many arguments for 'login'. Expected 0 arguments but got 1.\nhint: See petstore auth login --help\n";
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: told });
  });

  test.each([
    "pets list -v",
    "pets create --name Rex --category-id 1 -v",
    "pets get 7 -v",
    "orders list -v -o json",
    "auth status -v",
    "config list",
    "config get api-key",
    "doctor -v",
    "auth logout",
    "auth login -v",
    "config set api-key KEY",
    "--timeout KEY pets list",
    "__complete -- --profile KEY =",
  ])("0-9: petstore %s", async (commandLine) => {
    using home = temporaryDirectory();
    await using server = await startServer();
    saveConfig(home.path, { profiles: { default: { "base-url": server.url, "api-key": server.apiKey } } });
    const args = commandLine.replace("KEY", server.apiKey).split(" ");
    const { stdout, stderr } = await petstore(args, { home: home.path, input: `${server.apiKey}\n` });
    expect(stdout + stderr).not.toBe("");
    expect(stdout + stderr).not.toContain(server.apiKey.slice(9, -4));
  });
});

test("0: a reader that has seen enough is no failure", async () => {
  const pets = Array.from({ length: 9_999 }, (_, id) => ({ id, name: "Rex", categoryId: 1, status: "available" }));
  await using server = await startRecorder((_request, response) => response.end(JSON.stringify(pets)));
  const { exitCode, stdout, stderr } = await shell(
    'petstore pets list | head -n 1; exit "${PIPESTATUS[0]}"',
    server.url,
  );
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toBe(`${JSON.stringify(pets[0])}\n`);
});

test("1: output that cannot be written", async () => {
  const command = "petstore config path > /dev/full";
  const { exitCode, stderr } = await shell(command);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "error: ENOSPC: no space left on device, write\n" });
  const asJson = await shell(`${command} -o ndjson`);
  const message = "ENOSPC: no space left on device, write";
  expect(JSON.parse(asJson.stderr)).toEqual({ error: { code: "unexpected", message, exitCode: 1 } });
});

test("1: a command that waits for what never comes", async () => {
  const environment = { NODE_OPTIONS: "--import=data:text/javascript,process.stdout.write=()=>true" };
  expect(await petstore(["config", "path"], { environment })).toMatchObject({ exitCode: 1, stdout: "" });
});

/** Runs a line of bash that knows `petstore`. */
async function shell(line: string, url = ""): Promise<Ended> {
  using home = temporaryDirectory();
  const script = `petstore() { "${process.execPath}" "${binary}" "$@"; }; ${line}`;
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home.path, ...reaching(url) };
  await using running = start("bash", ["-c", script], { directory: home.path, environment });
  return await running.ended;
}
