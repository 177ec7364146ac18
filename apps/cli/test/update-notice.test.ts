import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { dirname, join } from "node:path";
import { describe, expect, vi } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { test } from "./fixtures.ts";
import { startRecorder, type Recorder } from "./other-servers.ts";
import { petstore, petstoreInTerminal, petstoreOnScreen, petstoreProcess, type ScreenOptions } from "./petstore.ts";

const hourMs = 60 * 60 * 1000;
const latest = "999.1.0";
const notice = `note: petstore ${latest} is available, and you have ${packageJson.version}. Update with: npm install --global @petstore/cli`;

interface State {
  checkedAtMs?: number;
  shownAtMs?: number;
  latest?: string;
}

const stateFile = (home: string): string => join(home, "state", "petstore", "update.json");
const readState = (home: string): State => JSON.parse(readFileSync(stateFile(home), "utf8")) as State;

function saveState(home: string, state: State | string): void {
  mkdirSync(dirname(stateFile(home)), { recursive: true });
  writeFileSync(stateFile(home), typeof state === "string" ? state : JSON.stringify(state));
}

/** Like the npm registry, but knows only the latest version. */
function startRegistry(respond: RequestListener = latestIs(latest)): Promise<Recorder> {
  return startRecorder(respond);
}

function latestIs(version: unknown): RequestListener {
  return (_request, response) => response.end(JSON.stringify({ name: "@petstore/cli", version }));
}

/** A wide terminal of a user who wants notices. Without a registry, nothing can be asked. */
function wanted(
  home: string,
  registry?: Recorder,
): ScreenOptions & { environment: Record<string, string | undefined> } {
  const address = registry?.url.replace("/v1", "/npm/") ?? "http://127.0.0.1:9";
  const environment = { PETSTORE_NO_UPDATE_NOTIFIER: undefined, npm_config_registry: address };
  return { home, columns: 160, environment };
}

test("0: a check runs in the background, and the next command shows the notice after its output, once", async ({
  home,
}) => {
  await using registry = await startRegistry();
  const run = async (): Promise<string[]> => {
    await using session = petstoreInTerminal("config path", wanted(home, registry));
    expect(await session.ended).toEqual({ exitCode: 0, signal: null });
    return session.screen();
  };
  const output = [join(home, "config", "petstore", "config.json")];
  expect(await run()).toEqual(output);
  await vi.waitFor(() => expect(readState(home)).toMatchObject({ latest }), 30_000);
  expect(await run()).toEqual([...output, notice]);
  expect(await run()).toEqual(output);
  expect(registry.received.map(({ target }) => target)).toEqual(["/npm/@petstore%2fcli/latest"]);
});

test("0: the request has nothing about the user", async ({ home }) => {
  await using registry = await startRegistry();
  const { environment } = wanted(home, registry);
  await petstore("__check-for-update", { home, environment: { ...environment, PETSTORE_API_KEY: "secret" } });
  const [{ headers } = { headers: {} }] = registry.received;
  expect(headers).toEqual({
    host: new URL(registry.url).host,
    connection: "keep-alive",
    accept: "application/json",
    "accept-language": "*",
    "sec-fetch-mode": "cors",
    "user-agent": "node",
    "accept-encoding": expect.any(String) as string,
  });
});

test("0: a command does not wait for a registry that does not respond, and the check gives up", async ({ home }) => {
  const asked = Promise.withResolvers<void>();
  const givenUp = Promise.withResolvers<void>();
  await using registry = await startRegistry(({ socket }) => {
    asked.resolve();
    socket.once("close", givenUp.resolve);
  });
  let isGivenUp = false;
  void givenUp.promise.then(() => (isGivenUp = true));
  const { exitCode } = await petstoreOnScreen("config path", wanted(home, registry));
  expect({ exitCode, isGivenUp }).toEqual({ exitCode: 0, isGivenUp: false });
  await asked.promise;
  await givenUp.promise;
});

test("0: without a check, a command on a terminal loads nothing more", async ({ home }) => {
  saveState(home, { checkedAtMs: Date.now(), latest });
  const hook = join(home, "hook.cjs");
  writeFileSync(
    hook,
    `process.on("exit", () => {
       const files = Object.keys(require.cache).map((file) => require("node:path").basename(file));
       const slow = process.moduleLoadList.filter((name) => /child_process|undici\\/undici/.test(name));
       require("node:fs").writeFileSync(${JSON.stringify(join(home, "loaded"))}, JSON.stringify({ files, slow }));
     });`,
  );
  const loaded = (): { files: string[]; slow: string[] } =>
    JSON.parse(readFileSync(join(home, "loaded"), "utf8")) as { files: string[]; slow: string[] };
  const environment = { ...wanted(home).environment, NODE_OPTIONS: `--require=${hook}` };
  await petstoreProcess("config path", { home, environment });
  const inPipe = loaded();
  await using session = petstoreInTerminal("config path", { ...wanted(home), environment });
  await session.ended;
  expect(session.screen()).toContain(notice);
  const { files, slow } = loaded();
  expect(files.filter((file) => !inPipe.files.includes(file))).toEqual([]);
  expect(slow).toEqual([]);
});

test("0: a check every 24 hours, and a notice every 24 hours", async ({ home }) => {
  await using registry = await startRegistry();
  const options = wanted(home, registry);
  const shown = async (state: State): Promise<{ isShown: boolean; isChecked: boolean }> => {
    saveState(home, state);
    const screen = (await petstoreOnScreen("config path", options)).screen();
    // Recorded before the check begins.
    const isChecked = readState(home).checkedAtMs !== state.checkedAtMs;
    // The check has ended when the file has its result.
    if (isChecked) await vi.waitFor(() => expect(readState(home)).toMatchObject({ latest }), 30_000);
    return { isShown: screen.join().includes("petstore 998.0.0 is available"), isChecked };
  };
  const now = Date.now();
  const [recent, old, future] = [now - 23 * hourMs, now - 25 * hourMs, now + hourMs];
  expect(await shown({ checkedAtMs: recent, latest: "998.0.0" })).toEqual({ isShown: true, isChecked: false });
  expect(await shown({ checkedAtMs: recent, latest: "998.0.0", shownAtMs: old })).toEqual({
    isShown: true,
    isChecked: false,
  });
  expect(await shown({ checkedAtMs: recent, latest: "998.0.0", shownAtMs: recent })).toEqual({
    isShown: false,
    isChecked: false,
  });
  expect(await shown({ checkedAtMs: recent, latest: packageJson.version })).toEqual({
    isShown: false,
    isChecked: false,
  });
  expect(await shown({ checkedAtMs: recent })).toEqual({ isShown: false, isChecked: false });
  expect(await shown({ checkedAtMs: old, latest: "998.0.0", shownAtMs: recent })).toEqual({
    isShown: false,
    isChecked: true,
  });
  expect(await shown({ checkedAtMs: old, latest: "998.0.0" })).toEqual({ isShown: true, isChecked: true });
  expect(await shown({ checkedAtMs: future })).toEqual({ isShown: false, isChecked: true });
});

describe("0: nothing is shown or checked", () => {
  const variables: Record<string, string>[] = [
    { PETSTORE_NO_UPDATE_NOTIFIER: "1" },
    { NO_UPDATE_NOTIFIER: "1" },
    { CI: "true" },
    { CONTINUOUS_INTEGRATION: "1" },
    { BUILD_NUMBER: "7" },
    { RUN_ID: "7" },
    { TF_BUILD: "True" },
    { TEAMCITY_VERSION: "2026.2" },
    { CODEBUILD_BUILD_ID: "7" },
    { JENKINS_URL: "http://jenkins.example" },
    { PETSTORE_OUTPUT: "json" },
  ];
  const state = { checkedAtMs: 0, latest };

  test.for(variables)("with %o", async (environment, { home }) => {
    saveState(home, state);
    const options = wanted(home);
    const shown = await petstoreOnScreen("config path", {
      ...options,
      environment: { ...options.environment, ...environment },
    });
    expect(shown.screen().join()).not.toContain("is available");
    expect(readState(home)).toEqual(state);
  });

  test.for(["config path --quiet", "version -o json", "pets list --json id", "pets list --jq .id"])(
    "by %s",
    async (commandLine, { home, server }) => {
      saveState(home, state);
      const shown = await petstoreOnScreen(commandLine, { ...wanted(home), server });
      expect({ exitCode: shown.exitCode, screen: shown.screen().join() }).toEqual({
        exitCode: 0,
        screen: expect.not.stringContaining("is available") as string,
      });
      expect(readState(home)).toEqual(state);
    },
  );

  test("in a pipe", async ({ home }) => {
    saveState(home, state);
    const { stderr } = await petstore("config path", wanted(home));
    expect(stderr).toBe("");
    expect(readState(home)).toEqual(state);
  });
});

test("0: CI=false is no CI", async ({ home }) => {
  saveState(home, { checkedAtMs: Date.now(), latest });
  const options = wanted(home);
  const shown = await petstoreOnScreen("config path", {
    ...options,
    environment: { ...options.environment, CI: "false" },
  });
  expect(shown.screen()).toContain(notice);
});

test.for(["", "{", "7", "null", '{"checkedAtMs": "yesterday", "latest": 7, "shownAtMs": {}}'])(
  "0: the damaged file %j is replaced",
  async (text, { home }) => {
    await using registry = await startRegistry();
    saveState(home, text);
    const shown = await petstoreOnScreen("config path", wanted(home, registry));
    expect({ exitCode: shown.exitCode, lines: shown.screen().length }).toEqual({ exitCode: 0, lines: 1 });
    await vi.waitFor(
      () => expect(readState(home)).toEqual({ checkedAtMs: expect.any(Number) as number, latest }),
      30_000,
    );
  },
);

test("0: a command works if the file cannot be written", async ({ home }) => {
  writeFileSync(join(home, "state"), "a file, not a directory");
  const shown = await petstoreOnScreen("config path", wanted(home));
  expect({ exitCode: shown.exitCode, lines: shown.screen().length }).toEqual({ exitCode: 0, lines: 1 });
});

test.for<[what: string, RequestListener]>([
  ["a 404", (_request, response) => void response.writeHead(404).end('{"version": "2.0.0"}')],
  ["a redirect", (_request, response) => void response.writeHead(302, { Location: "/elsewhere" }).end("{}")],
  ["no JSON", (_request, response) => void response.end("<html>")],
  ["no object", (_request, response) => void response.end("null")],
  ["no text", latestIs(7)],
  ["a broken connection", (request) => void request.socket.destroy()],
])("0: a response with %s changes nothing", async ([, listener], { home }) => {
  await using registry = await startRegistry(listener);
  const state = { checkedAtMs: 7, latest };
  saveState(home, state);
  await petstore("__check-for-update", wanted(home, registry));
  expect(registry.received.length).toBe(1);
  expect(readState(home)).toEqual(state);
});

test("0: a version that is none is not shown, so that it cannot control the terminal", async ({ home }) => {
  await using registry = await startRegistry(latestIs("999.0.0\u001b[2J"));
  saveState(home, { checkedAtMs: Date.now() });
  await petstore("__check-for-update", wanted(home, registry));
  const shown = await petstoreOnScreen("config path", wanted(home));
  expect(shown.raw()).not.toContain("999.0.0");
});

test("0: the hidden command is in no list", async ({ home }) => {
  const { stdout } = await petstore("--help", { home });
  expect(stdout).not.toContain("__check");
  expect(existsSync(stateFile(home))).toBe(false);
});
