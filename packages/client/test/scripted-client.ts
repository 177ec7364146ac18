import { expect } from "vitest";
import {
  createPetstoreClient,
  InvalidArgumentError,
  isPetstoreError,
  type PetstoreClient,
  type PetstoreClientOptions,
  type PetstoreEvent,
} from "../src/index.ts";
import { createClock, type TestClock } from "./clock.ts";

/** An animal to answer with. */
export const rex = { id: 1, name: "Rex", categoryId: 7, status: "available" } as const;

/** What the client gave to `fetch`. */
export interface SentRequest {
  url: string;
  method: string;
  headers: Headers;
  body: string | undefined;
  signal: AbortSignal;
}

export type Answer = (request: SentRequest) => Response | Promise<Response>;

export interface RecordedFetch {
  fetch: typeof globalThis.fetch;
  /** What has been sent, in order. */
  requests: SentRequest[];
}

export interface ScriptedOptions extends Omit<PetstoreClientOptions, "clock"> {
  clock?: TestClock;
}

export interface ScriptedClient extends RecordedFetch {
  client: PetstoreClient;
  clock: TestClock;
  /** What the client told of, in order. */
  events: PetstoreEvent[];
}

/** A client on a clock that stands, and what becomes of its requests. */
export function scriptedClient(
  answer: Answer,
  { clock = createClock(), ...options }: ScriptedOptions = {},
): ScriptedClient {
  const recorded = recordFetch(answer);
  const events: PetstoreEvent[] = [];
  const client = createPetstoreClient({
    baseUrl: "https://petstore.example/v1",
    apiKey: "pst_test_key",
    fetch: recorded.fetch,
    onEvent: (event) => events.push(event),
    clock,
    ...options,
  });
  return { client, clock, events, ...recorded };
}

/** A `fetch` that remembers what it was asked for, and answers as told, or really sends the request. */
export function recordFetch(answer?: Answer): RecordedFetch {
  const requests: SentRequest[] = [];
  return {
    requests,
    async fetch(url, init = {}) {
      const { method = "GET", headers, body, signal } = init;
      const request = {
        url: url instanceof Request ? url.url : url.toString(),
        method,
        headers: new Headers(headers),
        body: typeof body === "string" ? body : undefined,
        signal: signal ?? new AbortController().signal,
      };
      requests.push(request);
      return answer === undefined ? await fetch(url, init) : await answer(request);
    },
  };
}

/** Gives each answer once, in order. */
export function inTurn(...answers: readonly Answer[]): Answer {
  const rest = [...answers];
  return (request) => {
    const next = rest.shift();
    if (next === undefined) throw new Error("More requests than answers");
    return next(request);
  };
}

/** An answer with a JSON body. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return () => new Response(JSON.stringify(body), { status, headers });
}

/** An answer with an Error body. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}): Answer {
  return json(status, { code, message: "Refused.", status }, headers);
}

/** No answer, ever, and no ear for the signal. */
export function silence(): Promise<Response> {
  return new Promise(() => {});
}

/** An answer whose body never comes, with no ear for the signal. */
export function stalledBody(): Response {
  return new Response(new ReadableStream());
}

/** A broken connection. */
export function drop(): Promise<Response> {
  return Promise.reject(new TypeError("fetch failed"));
}

/** The failure of a call, which must fail. */
export async function failure(call: PromiseLike<unknown>): Promise<unknown> {
  return await call.then(
    () => {
      throw new Error("It succeeded");
    },
    (error: unknown) => error,
  );
}

/** What work throws, which must throw. */
export function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("It was accepted");
}

/** Expects an argument or option to be refused by its name. */
export function expectNamed(error: unknown, name: string): void {
  expect(error).toBeInstanceOf(InvalidArgumentError);
  expect(isPetstoreError(error)).toBe(true);
  expect((error as Error).message).toMatch(new RegExp(`^${name} must be .{5,}`));
}
