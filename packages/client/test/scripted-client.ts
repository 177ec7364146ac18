import { expect } from "vitest";
import {
  createPetstoreClient,
  InvalidArgumentError,
  isPetstoreError,
  type Int64Form,
  type PetstoreClientOptions,
  type PetstoreEvent,
} from "../src/index.ts";
import type { FetchInit } from "../src/options.ts";
import { createClock, type TestClock } from "./clock.ts";

/** An animal for responses. */
export const rex = { id: 1, name: "Rex", categoryId: 7, status: "available" } as const;

/** A request that the client passed to `fetch`. */
export interface SentRequest {
  url: string;
  method: string;
  headers: Headers;
  body: string | undefined;
  signal: AbortSignal;
}

export type Responder = (request: SentRequest) => Response | Promise<Response>;

export interface ScriptedOptions extends Omit<PetstoreClientOptions<Int64Form>, "clock"> {
  clock?: TestClock;
}

export type ScriptedClient = ReturnType<typeof scriptedClient>;

/**
 * A client with a clock that stands still, and a `fetch` that calls `respond`. Its events and
 * requests are in order.
 */
export function scriptedClient(
  respond: Responder,
  { clock = createClock(), ...options }: ScriptedOptions = {},
) {
  const recorded = recordFetch(respond);
  const events: PetstoreEvent[] = [];
  const client = createPetstoreClient({
    baseUrl: "https://petstore.example/v1",
    apiKey: "pst_test_key",
    fetch: recorded.fetch,
    onEvent: (event) => events.push(event),
    clock,
    ...options,
  } as PetstoreClientOptions);
  return { client, clock, events, ...recorded };
}

/** A `fetch` that records its requests and calls `respond`. */
export function recordFetch(respond: Responder) {
  const requests: SentRequest[] = [];
  return {
    requests,
    fetch: async (url: unknown, init?: object): Promise<Response> => {
      const { method, headers, body, signal } = init as FetchInit;
      const request = {
        url: url as string,
        method,
        headers: new Headers(headers),
        body: body ?? undefined,
        signal,
      };
      requests.push(request);
      return await respond(request);
    },
  };
}

/** Uses each responder once, in order. */
export function inOrder(...responders: readonly Responder[]): Responder {
  const rest = [...responders];
  return (request) => {
    const next = rest.shift();
    if (next === undefined) throw new Error("more requests than responders");
    return next(request);
  };
}

/** A response with a JSON body. */
export function json(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Responder {
  return () => new Response(JSON.stringify(body), { status, headers });
}

/** An error of the service, which sends a request id with every response. */
export function errorResponse(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Responder {
  return json(
    status,
    { code, message: "Rejected.", status },
    { "X-Request-Id": "request-1", ...headers },
  );
}

/** Never responds, and ignores the signal. */
export function silence(): Promise<Response> {
  return new Promise(() => {});
}

/** A broken connection. */
export function drop(): Promise<Response> {
  return Promise.reject(new TypeError("fetch failed"));
}

/** The error of a call, which must fail. */
export async function failure(call: PromiseLike<unknown>): Promise<unknown> {
  return await call.then(
    () => {
      throw new Error("the call succeeded");
    },
    (error: unknown) => error,
  );
}

/** The error of `work`, which must throw. */
export function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

/** Expects an error that names this argument or option. */
export function expectNamed(error: unknown, name: string): void {
  expect(error).toBeInstanceOf(InvalidArgumentError);
  expect(isPetstoreError(error)).toBe(true);
  expect((error as Error).message).toMatch(new RegExp(`^${name} must be .{5,}`));
}
