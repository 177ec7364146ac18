import { readdirSync, readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { startServer } from "@petstore/server/start-server";
import type { Ended, Running } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { test } from "../../support/fixtures.ts";
import { listNothing, startRecorder } from "../../support/other-servers.ts";
import { petstore, startScript, type RunOptions } from "../../support/petstore.ts";
import { loginFile, longKey, savedLogin, saveLogin } from "../../support/saved-settings.ts";

describe("login", () => {
  test("0: the key in the first line of standard input, without blanks around it, is saved with its address", async ({
    home,
    server,
  }) => {
    saveLogin(home, { baseUrl: "https://old.example/v1", apiKey: longKey("old") });
    expect(await logIn(home, server.url, `  ${server.apiKey} \t\r\nuser: somebody\n`)).toEqual({
      exitCode: 0,
      signal: null,
      stdout: "",
      stderr: `note: saved the key for ${server.url} in ${loginFile(home)}\n`,
    });
    expect(savedLogin(home)).toEqual({ baseUrl: server.url, apiKey: server.apiKey });
    expect(await petstore("pets list", { home })).toMatchObject({ exitCode: 0, stdout: "" });
  });

  test("0: standard input need not end, and Ctrl-C ends the wait for it", async ({
    home,
    server,
  }) => {
    // It warns when it has started.
    await using waiting = logInWithOpenInput(home, "http://192.0.2.1/v1");
    await waiting.printed(/not encrypted/, "stderr");
    waiting.kill("SIGINT");
    const stderr = expect.stringContaining('{"error":{"code":"interrupted"');
    expect(await waiting.ended).toMatchObject({ exitCode: 130, stdout: "", stderr });
    expect(readdirSync(home)).toEqual(["input"]);

    await using running = logInWithOpenInput(home, server.url, server.apiKey);
    expect(await running.ended).toMatchObject({ exitCode: 0 });
    expect(savedKey(home)).toBe(server.apiKey);
  });

  test("0: notes if a variable overrides the key", async ({ home, server }) => {
    const ended = await logIn(home, server.url, server.apiKey, {
      PETSTORE_API_KEY: longKey("other"),
    });
    const stderr = expect.stringContaining(
      "\nnote: PETSTORE_API_KEY is set and overrides the saved key\n",
    );
    expect([ended, savedKey(home)]).toMatchObject([{ exitCode: 0, stderr }, server.apiKey]);
  });

  test.for([
    ["nothing", "", "No API key was given"],
    [
      "a control character",
      "pst_test_\u0007one",
      "That is not an API key: it contains spaces or invalid characters",
    ],
  ] as const)(
    "2: %s is not a key, and is neither sent nor repeated",
    async ([, input, message], { home }) => {
      await using server = await startRecorder(listNothing);
      const hint =
        "Enter it at the prompt, or pass it on standard input: petstore auth login < FILE";
      const stderr = `error: ${message}\nhint: ${hint}\n`;
      expect(await logIn(home, server.url, input)).toEqual({
        exitCode: 2,
        signal: null,
        stdout: "",
        stderr,
      });
      expect(server.received).toEqual([]);
      expect(readdirSync(home)).toEqual([]);
    },
  );
});

describe("login saves nothing and keeps saved settings", () => {
  test.for([200, 302])(
    "9: when the responses are not from the service: %i",
    async (status, { home }) => {
      const page: RequestListener = (_request, response) =>
        response
          .writeHead(status, { "Content-Type": "text/html", Location: "/login" })
          .end("<p>Welcome</p>");
      await using other = await startRecorder(page);
      expect((await expectNothingSaved(home, other.url)).exitCode).toBe(9);
    },
  );

  test("4: when the service does not accept the key", async ({ home, server }) => {
    const stderr = expect.stringMatching(
      /^error: http:\S+ rejected this key\. Nothing was saved\nhint: /,
    );
    expect(await expectNothingSaved(home, server.url)).toMatchObject({
      exitCode: 4,
      stdout: "",
      stderr,
    });
  });
});

test("0: a logout removes the key, and keeps the address and members of a newer version", async ({
  home,
}) => {
  const others = { baseUrl: "https://petstore.example/v1", newer: { as: "it was" } };
  saveLogin(home, JSON.stringify({ ...others, apiKey: longKey("saved") }));
  const stderr = `note: removed the key from ${loginFile(home)}. If others may know it, ask the operator to revoke it\n`;
  expect(await petstore("auth logout", { home })).toEqual({
    exitCode: 0,
    signal: null,
    stdout: "",
    stderr,
  });
  expect(savedLogin(home)).toEqual(others);
  expect((await petstore("auth logout", { home })).stderr).toBe("note: no key is saved\n");
});

describe("status", () => {
  test("0: notes that the key lacks the scope to read animals, which a login accepts", async ({
    home,
  }) => {
    for (const scope of ["write", "orders"] as const) {
      await using server = await startServer({ scopes: [scope] });
      expect(await logIn(home, server.url, server.apiKey)).toMatchObject({ exitCode: 0 });
      const { exitCode, stderr } = await petstore("auth status", { home });
      expect([exitCode, stderr]).toEqual([0, "note: the key lacks the scope read\n"]);
    }
  });

  test("4: shows what to do without configuration and server", async () => {
    const stderr =
      "error: There is no API key for http://127.0.0.1:8080/v1\n" +
      "hint: Log in with petstore auth login --base-url https://HOST/v1, or in a checkout, start a server with npx pnpm@12 start\n";
    expect(await petstore("auth status")).toEqual({
      exitCode: 4,
      signal: null,
      stdout: "",
      stderr,
    });
  });
});

function savedKey(home: string): unknown {
  return savedLogin(home)?.apiKey;
}

function logIn(
  home: string,
  url: string,
  input: string,
  environment: RunOptions["environment"] = {},
): Promise<Ended> {
  return petstore(`auth login --base-url ${url}`, { home, input, environment });
}

/** Logs in where a key is already saved, and expects that key to stay. */
async function expectNothingSaved(home: string, url: string): Promise<Ended> {
  const path = saveLogin(home, { baseUrl: url, apiKey: longKey("saved") });
  const before = readFileSync(path, "utf8");
  const ended = await logIn(home, url, longKey("wrong"), { PETSTORE_RETRIES: "0" });
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(ended.stdout + ended.stderr).not.toContain(longKey("wrong"));
  return ended;
}

/** Logs in with a standard input that has this key, if any, and does not end. */
function logInWithOpenInput(home: string, url: string, apiKey = ""): Running {
  const script = `mkfifo -m 600 input 2>&-; exec 0<>input; [ -z "$KEY" ] || echo "$KEY" >&0; exec "$@" auth login --base-url ${url}`;
  return startScript(script, { home, environment: { KEY: apiKey } });
}
