import { spawnSync } from "node:child_process";
import type { Ended } from "@petstore/test-servers/processes";
import { describe, expect } from "vitest";
import { test } from "../support/fixtures.ts";
import { listNothing, startRecorder, type Received } from "../support/other-servers.ts";
import { petstore, petstoreProcess, type PipedOptions } from "../support/petstore.ts";
import { longKey, saveConfig, savedConfig } from "../support/saved-settings.ts";

const commands = ["pets list", "auth status", "orders list", "pets get 1"];

/** Runs every command at the same time. */
function runAll(flags: string, options: PipedOptions): Promise<Ended[]> {
  return Promise.all(commands.map((command) => petstore(`${command} ${flags}`, options)));
}

function logIn(home: string, baseUrl: string, apiKey: string, flags = "", run = petstore): Promise<Ended> {
  return run(`auth login --base-url ${baseUrl} ${flags}`, { home, input: apiKey });
}

/** Every `Authorization` header that was sent, once. */
function authorizations(received: readonly Received[]): (string | undefined)[] {
  return [...new Set(received.map(({ headers }) => headers.authorization))];
}

describe("a saved key is sent only to its address", () => {
  test("0: every command sends it to this address", async ({ home }) => {
    await using server = await startRecorder(listNothing);
    await logIn(home, server.url, longKey("saved"));
    await runAll("", { home });
    expect(server.received.length).toBeGreaterThan(commands.length);
    expect(authorizations(server.received)).toEqual([`Bearer ${longKey("saved")}`]);
  });

  test.for(["a flag", "a variable", "another profile"])(
    "4: when %s names another one, nothing is sent there",
    async (who, { home, server }) => {
      await using second = await startRecorder(listNothing);
      const { url, received } = second;
      await logIn(home, server.url, server.apiKey);
      saveConfig(home, { profiles: { ...savedConfig(home)?.profiles, other: { "base-url": url } } });
      const flags = { "a flag": `--base-url ${url}`, "another profile": "--profile other" }[who] ?? "";
      const environment = { PETSTORE_BASE_URL: who === "a variable" ? url : "" };
      for (const { exitCode, stdout, stderr } of await runAll(flags, { home, environment })) {
        expect(exitCode).toBe(4);
        expect(stdout + stderr).toContain(`There is no API key for ${url}`);
      }
      expect(received).toEqual([]);
    },
  );

  test("4: similar addresses do not get it", async ({ home }) => {
    await using server = await startRecorder(listNothing);
    await logIn(home, server.url, longKey("saved"));
    server.received.length = 0;
    const { host, port } = new URL(server.url);
    const others = [
      `http://localhost:${port}/v1`,
      `http://127.0.0.2:${port}/v1`,
      `http://${host}/other/v1`,
      `http://${host}//v1`,
      `https://${host}/v1`,
    ];
    const all = others.map((other) => petstore(`pets list --base-url ${other}`, { home }));
    expect((await Promise.all(all)).map(({ exitCode }) => exitCode)).toEqual(others.map(() => 4));
    expect(server.received).toEqual([]);
  });

  test("0: another address gets the key of the environment, and a login there the new key", async ({
    home,
    server,
  }) => {
    await using second = await startRecorder(listNothing);
    await logIn(home, server.url, server.apiKey);
    const environment = { PETSTORE_API_KEY: longKey("variable") };
    expect((await petstore(`pets list --base-url ${second.url}`, { home, environment })).exitCode).toBe(0);
    expect(authorizations(second.received)).toEqual([`Bearer ${longKey("variable")}`]);

    second.received.length = 0;
    await logIn(home, second.url, longKey("new"));
    expect(authorizations(second.received)).toEqual([`Bearer ${longKey("new")}`]);
  });
});

describe("a key is never visible", () => {
  const apiKey = longKey("secret");

  test.for([
    [0, "is accepted", 200],
    [1, "meets a broken server", 500],
  ] as const)("%i: a key that %s is in no process list and in no output", async ([exitCode, , status], { home }) => {
    const processes: string[] = [];
    await using server = await startRecorder((_request, response) => {
      // While the program waits for the response.
      processes.push(spawnSync("ps", ["-A", "-ww", "-o", "args="], { encoding: "utf8" }).stdout);
      const body = status === 200 ? "[]" : JSON.stringify({ code: "internal_error", message: "No", status });
      response.writeHead(status, { "Content-Type": "application/json" }).end(body);
    });
    const flags = "--retries 1 --verbose";
    const login = await logIn(home, server.url, apiKey, `${flags} -o json`, petstoreProcess);
    expect(login.exitCode).toBe(exitCode);
    expect(processes[0]).toContain("auth login");
    saveConfig(home, { profiles: { default: { "base-url": server.url, "api-key": apiKey } } });
    const outputs = [login, ...(await runAll(flags, { home })), ...(await runAll(`${flags} -o json`, { home }))];
    expect(authorizations(server.received)).toEqual([`Bearer ${apiKey}`]);
    expect(processes.join("")).not.toContain(apiKey);
    for (const { stdout, stderr } of outputs) {
      expect(stderr).toMatch(/^> GET http/m);
      expect(stdout + stderr).not.toContain(apiKey);
    }
  });
});
