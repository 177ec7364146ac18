import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { root } from "@petstore/test-kit/checkout";
import { patientLimits } from "@petstore/test-kit/patience";
import { petstoreServer, serverModule, serverWith } from "@petstore/test-kit/shipped";
import { expect, onTestFinished } from "vitest";
import type * as main from "../../apps/server/src/main.ts";
import { expectDocumented } from "./documented-responses.ts";

export { petstoreServer, serverWith };

/** The result of a process. */
export interface Ended {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running extends AsyncDisposable {
  pid: number;
  /** The output so far. */
  stdout(): string;
  stderr(): string;
  /**
   * Resolves when the process prints a match, on standard output by default; rejects with all its
   * output if it ends before.
   */
  printed(pattern: RegExp, stream?: "stdout" | "stderr"): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  ended: Promise<Ended>;
}

export interface ProcessOptions {
  /** The working directory. */
  directory: string;
  /** The environment. The compile cache of the tests is added. */
  environment?: Readonly<Record<string, string>> | undefined;
  /** The complete standard input. */
  input?: string | Uint8Array | undefined;
  /** Another user who runs it. */
  user?: { uid: number; gid: number } | undefined;
}

/**
 * A database in the working directory, any free port, and no wait for a load balancer when it
 * stops.
 */
export const settings = {
  PETSTORE_DATABASE_URL: "sqlite:petstore.db",
  PETSTORE_PORT: "0",
  PETSTORE_DRAIN_MS: "0",
};

/** Programs started by tests share Node's compile cache. */
const compileCache = { NODE_COMPILE_CACHE: join(root, "node_modules/.cache/petstore-tests") };

/** Starts a program. It is killed when the scope or the test ends, such as after a timeout. */
export function start(
  file: string,
  args: readonly string[],
  { directory, environment = {}, input = "", user }: ProcessOptions,
): Running {
  const child = spawn(file, args, {
    cwd: directory,
    env: { ...compileCache, ...environment },
    ...user,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => {}); // it may not read its input
  child.stdin.end(input);

  const ended = once(child, "close").then(([exitCode, signal]): Ended => ({
    exitCode,
    signal,
    stdout,
    stderr,
  }));

  return {
    pid: child.pid ?? Number.NaN,
    stdout: () => stdout,
    stderr: () => stderr,
    printed(pattern, stream = "stdout") {
      return new Promise((resolve, reject) => {
        function look(): void {
          const found = pattern.exec(stream === "stdout" ? stdout : stderr);
          if (found === null) return;
          child[stream].off("data", look);
          resolve(found);
        }
        child[stream].on("data", look);
        look();
        void ended.then(() =>
          reject(new Error(`It ended without printing ${pattern.source}:\n${stdout}${stderr}`)),
        );
      });
    },
    kill: (signal) => void child.kill(signal),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/**
 * Runs a command of `petstore-server` until it exits. Uses this process, which is faster, except
 * for `serve`.
 */
export async function run(
  directory: string,
  args: readonly string[],
  { environment = settings, input = "" }: Omit<ProcessOptions, "directory"> = {},
): Promise<Ended> {
  if (args[0] !== "serve") return await runHere(directory, args, { environment, input });
  await using command = start(process.execPath, [...serverWith(), ...args], {
    directory,
    environment,
    input,
  });
  return await command.ended;
}

/**
 * Asserts how a process ends. A string must equal its output, a pattern match it. By default, a
 * failure prints nothing to stdout.
 */
export async function expectExit(
  exitCode: number,
  ending: Ended | Promise<Ended>,
  { stdout, stderr }: { stdout?: string | RegExp; stderr?: string | RegExp } = {},
): Promise<Ended> {
  const ended = await ending;
  const output = Object.entries({
    stdout: stdout ?? (exitCode === 0 ? /^/ : ""),
    stderr: stderr ?? /^/,
  });
  const expected = output.map(([name, text]): [string, unknown] => [
    name,
    typeof text === "string" ? text : expect.stringMatching(text),
  ]);
  expect(ended).toMatchObject({ exitCode, ...Object.fromEntries(expected) });
  return ended;
}

/** A response with its body read. */
interface Received {
  status: number;
  headers: Headers;
  text: string;
}

export interface Serving extends Running {
  /** The base address, ending in `/v1`. */
  url: string;
  /**
   * Sends a request to a path below the base address. The response must be documented.
   * @param method by default POST with a body, and otherwise GET
   */
  call(
    apiKey: string,
    path: string,
    body?: string,
    headers?: Record<string, string>,
    method?: string,
  ): Promise<Received>;
  /** The base address of the admin port. Requires `PETSTORE_ADMIN_PORT`. */
  adminUrl(): Promise<string>;
  /** Requests a page of the admin port. */
  ask(page: string): Promise<{ status: number; text: string }>;
  /** Stops it like an operator, and resolves when it has ended. */
  stop(): Promise<Ended>;
}

/** Starts `petstore-server serve`, with patience, and waits until it accepts connections. */
export async function serve(
  directory: string,
  {
    args = [],
    environment = settings,
  }: { args?: readonly string[]; environment?: Readonly<Record<string, string>> } = {},
): Promise<Serving> {
  return await serving(
    start(process.execPath, [...serverWith(), "serve", ...args], { directory, environment }),
  );
}

/** Waits until a server accepts connections. */
export async function serving(running: Running): Promise<Serving> {
  const [url] = await running.printed(/http:\/\/\S+\/v1\b/);
  const adminUrl = async () =>
    (await running.printed(/"url":"([^"]+)","msg":"admin port open"/))[1] ?? "";
  return {
    ...running,
    url,
    async call(apiKey, path, body, headers, method = body === undefined ? "GET" : "POST") {
      const response = await fetch(url + path, {
        method,
        headers: {
          Authorization: `Bearer ${apiKey}`,
          "Content-Type": "application/json",
          ...headers,
        },
        ...(body !== undefined && { body }),
      });
      const { status } = response;
      const text = await response.text();
      const { pathname, search } = new URL(response.url);
      const sent = { method, target: pathname + search, status, body: text };
      expectDocumented([{ ...sent, headers: Object.fromEntries(response.headers) }]);
      return { status, headers: response.headers, text };
    },
    adminUrl,
    async ask(page) {
      const response = await fetch((await adminUrl()) + page, { headers: { Connection: "close" } });
      return { status: response.status, text: await response.text() };
    },
    stop() {
      running.kill("SIGTERM");
      return running.ended;
    },
  };
}

/** Issues a key and returns its secret. */
export async function createKey(directory: string, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await run(directory, [
    "keys",
    "create",
    "--name",
    "test",
    ...args,
  ]);
  if (exitCode !== 0) throw new Error(`No key was issued: ${stderr}`);
  return stdout.trim();
}

/** A directory that is removed when the scope ends. */
export function temporaryDirectory(): Disposable & { path: string } {
  return mkdtempDisposableSync(join(tmpdir(), "petstore-"));
}

/** The working directory of the tests, and the command that is running. */
const home = process.cwd();
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `petstore-server` in this process, one command at a time, because all share the working
 * directory. Tests start a process if they need one, for example for parallel commands, a signal, a
 * limit or a reader that goes away.
 */
function runHere(
  directory: string,
  args: readonly string[],
  { environment, input }: Required<Omit<ProcessOptions, "directory" | "user">>,
): Promise<Ended> {
  const stop = new AbortController();
  const ended = last.then(async (): Promise<Ended> => {
    const { runMain } = (await import(serverModule)) as Pick<typeof main, "runMain">;
    const [stdout, stderr] = [collect(), collect()];
    process.chdir(directory);
    try {
      const exitCode = await runMain(args, {
        environment: environment ?? {},
        stdin: Readable.from(pieces(Buffer.from(input ?? ""))),
        stdout,
        stderr,
        stopSignal: () => stop.signal,
        now: Date.now,
        limits: patientLimits,
      });
      return { exitCode, signal: null, stdout: stdout.text(), stderr: stderr.text() };
    } finally {
      process.chdir(home);
    }
  });
  const settled = ended.catch(() => {});
  last = settled;
  // A command that still runs, after a timeout, must not hold up those of the next tests.
  onTestFinished(() => {
    stop.abort();
    if (last === settled) last = Promise.resolve();
    process.chdir(home);
  });
  return ended;
}

/** Splits bytes into the chunks of a pipe. */
function* pieces(bytes: Buffer): Generator<Buffer> {
  const size = 64 * 1024;
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

function collect(): Writable & { text: () => string } {
  const chunks: Buffer[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return Object.assign(output, { text: () => Buffer.concat(chunks).toString() });
}
