import { BlockList, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseJson, scopes, type Scope } from "@petstore/contract";
import type { RateLimit, Store } from "@petstore/service";
import { hashSecret, issueKey } from "../src/api-key.ts";
import { createApp } from "../src/api/app.ts";
import { listen, type ListenOptions, type RunningServer } from "../src/http/listen.ts";
import { createLog } from "../src/monitoring/log.ts";
import { createMetrics, type Metrics } from "../src/monitoring/metrics.ts";
import { createMemoryStore } from "../src/store/memory.ts";
import { recordAnswers } from "./record-answers.ts";

export interface StartOptions {
  store?: Store;
  now?: () => number;
  corsOrigins?: readonly string[];
  rateLimit?: RateLimit;
  trustedProxies?: BlockList;
  /** The scopes of {@link TestServer.apiKey}. */
  scopes?: readonly Scope[];
  timeouts?: ListenOptions["timeouts"];
  maxConnections?: number;
}

export interface Call {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as it is when text or bytes, as JSON otherwise. */
  body?: unknown;
  /** The API key to send; `null` sends none. */
  apiKey?: string | null;
}

/** An answer with its body read, as text and as JSON with exact integers. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

export interface TestServer extends RunningServer, AsyncDisposable {
  port: number;
  store: Store;
  /** Has been issued, and is what {@link TestServer.call} sends. */
  apiKey: string;
  /** What has been logged, parsed. */
  logs: Record<string, unknown>[];
  metrics: Metrics;
  /** Sends a request to a path below the base address. */
  call(path: string, call?: Call): Promise<Answer>;
  /** Writes bytes to a new connection and reads until the server closes it, or is silent for `silenceMs` (default 300). */
  raw(bytes: string | Uint8Array, silenceMs?: number): Promise<string>;
}

/** The service over real HTTP on a free port. When it is disposed of, all its answers must be those of the OpenAPI document. */
export async function startServer(options: StartOptions = {}): Promise<TestServer> {
  const { store = createMemoryStore(), now = Date.now, corsOrigins = [], timeouts = {}, maxConnections } = options;
  const { key, secret } = issueKey({ name: "test", kind: "test", scopes: options.scopes ?? scopes, createdAt: now() });
  await store.createKey(key, hashSecret(secret));
  const logs: Record<string, unknown>[] = [];
  const log = createLog(
    { level: "trace" },
    { write: (line) => logs.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const metrics = createMetrics(store);
  const { rateLimit, trustedProxies = new BlockList() } = options;
  const app = createApp({ store, log, metrics, now, corsOrigins, rateLimit, trustedProxies });
  const server = await listen(app, { host: "127.0.0.1", port: 0, log, metrics, timeouts, maxConnections });
  const port = Number(new URL(server.url).port);
  const answers = recordAnswers(port);

  return {
    ...server,
    port,
    store,
    apiKey: secret,
    logs,
    metrics,
    call: (path, call) => send(server.url + path, secret, call),
    raw: (bytes, silenceMs) => exchange(port, bytes, silenceMs),
    async [Symbol.asyncDispose]() {
      await server.stop(0);
      await store.close();
      answers.expectAllDocumented();
    },
  };
}

async function send(
  url: string,
  ownKey: string,
  { method, headers, body, apiKey = ownKey }: Call = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(apiKey !== null && { Authorization: `Bearer ${apiKey}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: toContent(body) }),
  });
  const text = await response.text();
  const { status } = response;
  return { status, headers: response.headers, text, body: text === "" ? undefined : parseJson(text) };
}

function toContent(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

function exchange(port: number, bytes: string | Uint8Array, silenceMs = 300): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let received = "";
    socket.setTimeout(silenceMs, () => socket.destroy());
    socket.on("data", (chunk) => (received += chunk.toString("latin1")));
    socket.on("close", () => resolve(received));
    // A server that has answered may reset the connection under what is still being sent.
    socket.on("error", (error) => (received === "" ? reject(error) : resolve(received)));
  });
}

/** Waits until `isTrue` holds, for at most five seconds. */
export async function eventually(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error("It did not become true within five seconds");
    await sleep(5);
  }
}
