import { spawnSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Ended } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { test } from "../support/fixtures.ts";
import { listNothing, startRecorder } from "../support/other-servers.ts";
import { petstore, petstoreProcess, startScript } from "../support/petstore.ts";
import { loginFile, longKey, saveLogin } from "../support/saved-settings.ts";

function logIn(home: string, baseUrl: string, apiKey: string, run = petstore): Promise<Ended> {
  return run(`auth login --base-url ${baseUrl}`, { home, input: apiKey });
}

describe("its writing", () => {
  test("0: for its owner only, whatever the umask allows, and where others could read it before", async ({
    home,
    server,
  }) => {
    const login = `umask 0; "$@" auth login --base-url ${server.url}`;
    expect(await startScript(login, { home, input: server.apiKey }).ended).toMatchObject({
      exitCode: 0,
    });
    const path = loginFile(home);
    expect([path, dirname(path), join(home, "config")].map(mode)).toEqual([0o600, 0o700, 0o700]);
    chmodSync(path, 0o644);
    await logIn(home, server.url, server.apiKey);
    expect(mode(path)).toBe(0o600);
  });

  test("0: as a new file that replaces the old one without leftovers, through a link, which stays a link", async ({
    home,
    server,
  }) => {
    const target = join(home, "kept", "petstore.json");
    mkdirSync(dirname(target));
    writeFileSync(target, "{}");
    linkSync(target, join(home, "old"));
    const path = loginFile(home);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync("../../kept/petstore.json", path);

    await logIn(home, server.url, server.apiKey);
    expect(readlinkSync(path)).toBe("../../kept/petstore.json");
    const written = { baseUrl: server.url, apiKey: server.apiKey };
    expect(readFileSync(target, "utf8")).toBe(`${JSON.stringify(written, undefined, 2)}\n`);
    expect(mode(target)).toBe(0o600);
    expect(readdirSync(dirname(target))).toEqual(["petstore.json"]);
    expect(readFileSync(join(home, "old"), "utf8")).toBe("{}");
  });

  test("2: if its directory is a file", async ({ home, server }) => {
    writeFileSync(join(home, "config"), "");
    const { exitCode, stdout, stderr } = await logIn(home, server.url, server.apiKey);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(
      `error: The configuration file ${loginFile(home)} cannot be written: not a directory\n`,
    );
    expect(readFileSync(join(home, "config"), "utf8")).toBe("");
  });
});

describe("a damaged configuration file", () => {
  test.for([
    ["with a comma too many", '{\n  "baseUrl": "a",\n}'],
    ["null", "null"],
    ["with a key that is a number", '{"baseUrl":"https://petstore.example/v1","apiKey":1}'],
  ] as const)("2: %s, is rejected and not changed", async ([, text], { home }) => {
    const path = saveLogin(home, text);
    const hint = 'It must be JSON like {"baseUrl": "…"}. Fix it, or delete it and log in again';
    const stderr = `error: The configuration file ${path} is damaged\nhint: ${hint}\n`;
    for (const line of ["pets list", "auth logout"]) {
      expect(await petstore(line, { home })).toEqual({
        exitCode: 2,
        signal: null,
        stdout: "",
        stderr,
      });
    }
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(readdirSync(dirname(path))).toEqual(["config.json"]);
  });
});

test("4: a key that is saved, with a mark of an editor, is sent only to its address, and not to similar ones", async ({
  home,
}) => {
  await using server = await startRecorder(listNothing);
  saveLogin(home, `\uFEFF${JSON.stringify({ baseUrl: server.url, apiKey: longKey("saved") })}`);
  expect((await petstore("pets list", { home })).exitCode).toBe(0);
  server.received.length = 0;
  const { host, port } = new URL(server.url);
  const others = [`http://localhost:${port}/v1`, `http://${host}/other/v1`, `https://${host}/v1`];
  const all = others.map((other) => petstore(`pets list --base-url ${other}`, { home }));
  expect((await Promise.all(all)).map(({ exitCode }) => exitCode)).toEqual(others.map(() => 4));
  expect(server.received).toEqual([]);
});

test("0: a key is in no process list, in no output and in no log", async ({ home }) => {
  const apiKey = longKey("secret");
  const processes: string[] = [];
  await using server = await startRecorder((_request, response) => {
    // While the program waits for the response.
    processes.push(spawnSync("ps", ["-A", "-ww", "-o", "args="], { encoding: "utf8" }).stdout);
    response.setHeader("Content-Type", "application/json").end("[]");
  });
  const login = await logIn(home, server.url, apiKey, petstoreProcess);
  expect(login.exitCode).toBe(0);
  // The client's own log, which people use to look for an error.
  const logged = await petstoreProcess("pets list", {
    home,
    environment: { PETSTORE_LOG: "debug" },
  });
  expect(logged.stderr).toContain('petstore {"type":"request"');
  for (const { headers } of server.received) expect(headers.authorization).toBe(`Bearer ${apiKey}`);
  expect(processes[0]).toContain("auth login");
  expect(processes.join("")).not.toContain(apiKey);
  for (const { stdout, stderr } of [login, logged]) expect(stdout + stderr).not.toContain(apiKey);
});

describe("a user without a home directory", () => {
  const environment = { HOME: undefined, XDG_CONFIG_HOME: undefined, XDG_STATE_HOME: undefined };

  test("0: whose id has no name, uses commands that have all they need from the environment", async ({
    server,
  }) => {
    // Only root can become anyone; it keeps the right to read a checkout that others cannot enter.
    const asNobody =
      "exec setpriv --reuid 54321 --inh-caps +dac_override --ambient-caps +dac_override";
    const start = process.getuid?.() === 0 ? asNobody : "exec";
    const script = `unset ${Object.keys(environment).join(" ")}; ${start} "$@" pets list --quiet`;
    const ended = await startScript(script, { server }).ended;
    expect(ended).toEqual({ exitCode: 0, signal: null, stdout: "", stderr: "" });
  });

  test("2: is told what to set when a login or an import has nowhere to write", async ({
    home,
    server,
  }) => {
    const login = await petstore(`auth login --base-url ${server.url}`, {
      environment,
      input: server.apiKey,
    });
    expect(login).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("hint: Set HOME, or set PETSTORE"),
    });
    writeFileSync(join(home, "animals.ndjson"), '{"name":"Rex","categoryId":1}\n');
    const imported = await petstore("pets import animals.ndjson", {
      environment,
      server,
      directory: home,
    });
    expect(imported).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("hint: Set HOME or XDG_STATE_HOME"),
    });
    expect(server.logs).toEqual([]);
  });
});

function mode(path: string): number {
  return statSync(path).mode & 0o777;
}
