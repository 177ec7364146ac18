import { once } from "node:events";
import { BlockList, connect, type Socket } from "node:net";
import { parseJson, scopes, type Scope } from "@petstore/contract";
import type { CategoryNames } from "@petstore/contract/categories";
import type { RateLimit, Store } from "@petstore/service";
import { patienceMs } from "@petstore/test-kit/eventually";
import { limitsWith, type OwnLimits } from "@petstore/test-kit/patience";
import { hashSecret, issueKey } from "../../src/api-key.ts";
import { createApp } from "../../src/api/app.ts";
import { listen, type RunningServer } from "../../src/http/listen.ts";
import { createLog } from "../../src/monitoring/log.ts";
import { createMetrics, type Metrics } from "../../src/monitoring/metrics.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { close, host, toRequest } from "./raw-request.ts";
import { parseResponses, type RawResponse } from "./raw-response.ts";
import { recordResponses } from "./record-responses.ts";

export { changesOf } from "@petstore/service/conformance";

export interface StartOptions {
  store?: Store;
  now?: () => number;
  corsOrigins?: readonly string[] | undefined;
  /** @default true */
  hasBoard?: boolean;
  /** @default "Petstore" */
  boardName?: string;
  publicUrl?: string;
  /** @default `publicUrl` */
  documentedUrl?: string;
  /** Each with its name, and other words after `|`. */
  categoryNames?: ReadonlyMap<string, string>;
  /** As with `--dev`. @default false */
  hasSignInLinks?: boolean;
  rateLimit?: RateLimit;
  maxReceivingBytes?: number;
  trustedProxies?: BlockList;
  /** The scopes of {@link TestServer.apiKey}. */
  scopes?: readonly Scope[];
  /** Limits of users, which the test expects to be applied. @default patience */
  limits?: OwnLimits;
  checkIntervalMs?: number;
  maxConnections?: number;
}

export interface Call {
  method?: string;
  headers?: Record<string, string>;
  /** Text and bytes are sent unchanged, anything else as JSON. */
  body?: unknown;
  /** The API key to send; `null` sends none. */
  apiKey?: string | null;
}

/** A response with its body read, as text and as JSON with exact integers. */
export interface TestResponse {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

export interface TestServer extends RunningServer, AsyncDisposable {
  port: number;
  store: Store;
  /** The store methods that requests have called and that ask the database, in order. */
  calls: string[];
  /** Issued at the start, and sent by {@link TestServer.call}. */
  apiKey: string;
  /** The parsed lines of the log. */
  logs: Record<string, unknown>[];
  metrics: Metrics;
  /** Issues another key. */
  issueKey(
    options?: Partial<Parameters<typeof issueKey>[0]>,
  ): Promise<{ id: string; secret: string }>;
  /** Sends a request to a path below the base address. */
  call(path: string, call?: Call): Promise<TestResponse>;
  /**
   * Writes to a new connection as {@link Connection.write} does, and reads until the server closes
   * it. Rejects when the connection is reset, or silent for as long as tests wait.
   */
  send(text: string): Promise<RawResponse[]>;
  connect(): Promise<Connection>;
  /** Resolves when the server has read everything written so far. */
  catchUp(): Promise<void>;
}

/** A connection whose two sides a test can close separately. */
export interface Connection {
  socket: Socket;
  /** Each character is a byte, and `<key>` is the key of the server. */
  write: (text: string) => void;
  /** Everything received so far. */
  received: () => string;
  /**
   * Resolves to everything received when the server closes its side, and closes the other. Rejects
   * when the server resets it.
   */
  ended: () => Promise<RawResponse[]>;
}

/**
 * The service over real HTTP on a free port. When it is disposed of, its responses must match the
 * OpenAPI document.
 */
export async function startServer(options: StartOptions = {}): Promise<TestServer> {
  const {
    store = createMemoryStore(),
    now = Date.now,
    corsOrigins = [],
    maxConnections,
    checkIntervalMs,
  } = options;
  const limits = limitsWith(options.limits);
  const categoryNames: CategoryNames = new Map(
    Array.from(options.categoryNames ?? [], ([id, text]) => {
      const [name = "", ...otherWords] = text.split("|");
      return [id, [name, ...otherWords]];
    }),
  );
  const { key, secret } = issueKey({
    name: "test",
    kind: "test",
    scopes: options.scopes ?? scopes,
    createdAt: now(),
  });
  await store.createKey(key, hashSecret(secret));
  const logs: Record<string, unknown>[] = [];
  const log = createLog(
    { level: "trace" },
    { write: (line) => logs.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const metrics = createMetrics();
  metrics.measureStore(store);
  const recorded = recordCalls(store);
  const app = createApp({
    hasBoard: true,
    boardName: "Petstore",
    publicUrl: undefined,
    documentedUrl: options.publicUrl,
    hasSignInLinks: false,
    rateLimit: undefined,
    trustedProxies: new BlockList(),
    ...options,
    store: recorded.store,
    log,
    metrics,
    now,
    corsOrigins,
    categoryNames,
    limits,
  });
  const local = { host: "127.0.0.1", port: 0 };
  const server = await listen(app, {
    ...local,
    log,
    metrics,
    limits,
    maxConnections,
    checkIntervalMs,
  });
  const port = Number(new URL(server.url).port);
  const responses = recordResponses(port);

  async function send(text: string): Promise<RawResponse[]> {
    const { socket, write, received, ended } = await open(port, secret);
    socket.setTimeout(patienceMs, () =>
      socket.destroy(new Error(`The connection is still open after: ${received()}`)),
    );
    write(text);
    return await ended();
  }

  return {
    ...server,
    port,
    store,
    calls: recorded.calls,
    apiKey: secret,
    logs,
    metrics,
    async issueKey(parts = {}) {
      const issued = issueKey({ name: "other", kind: "test", scopes, createdAt: now(), ...parts });
      await store.createKey(issued.key, hashSecret(issued.secret));
      return { id: issued.key.id, secret: issued.secret };
    },
    call: (path, call) => fetchWhole(server.url + path, secret, call),
    send,
    connect: () => open(port, secret),
    catchUp: async () => void (await send(toRequest("OPTIONS * HTTP/1.1", [host, close]))),
    async [Symbol.asyncDispose]() {
      await server.stop(0);
      await store.close();
      responses.expectAllDocumented();
    },
  };
}

async function fetchWhole(
  url: string,
  ownKey: string,
  { method, headers, body, apiKey = ownKey }: Call = {},
): Promise<TestResponse> {
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
  return {
    status,
    headers: response.headers,
    text,
    body: text === "" ? undefined : parseJson(text),
  };
}

function toContent(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}

async function open(port: number, secret: string): Promise<Connection> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
  let text = "";
  let isToHead = false;
  socket.setEncoding("latin1").on("data", (part: string) => (text += part));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once("end", resolve).once("close", resolve).on("error", reject);
  promise.catch(() => {}); // it may reject before it is awaited
  await once(socket, "connect");
  return {
    socket,
    write(request) {
      isToHead ||= request.startsWith("HEAD ");
      socket.write(request.replaceAll("<key>", secret), "latin1");
    },
    received: () => text,
    async ended() {
      await promise;
      socket.destroy();
      return parseResponses(text, isToHead);
    },
  };
}

/** The members that need no call of the database. */
const asksNothing = ["isBusy", "connections"];

/**
 * `store`, and the names of its methods that ask the database, in the order in which they have been
 * called.
 */
function recordCalls(store: Store): { store: Store; calls: string[] } {
  const calls: string[] = [];
  const recording = new Proxy(store, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function" || asksNothing.includes(String(name))) return member;
      return (...parameters: unknown[]): unknown => {
        calls.push(String(name));
        return Reflect.apply(member, target, parameters);
      };
    },
  });
  return { store: recording, calls };
}
