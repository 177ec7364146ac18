import { errors, errorCodes, type ErrorCode } from "@petstore/contract/errors";
import { pickFields, problemsOf } from "@petstore/contract/fields";
import { isInt64, stringifyJson, toInt64, type Int64 } from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import type { OperationName } from "@petstore/contract/operations";
import type { Order } from "@petstore/contract/order";
import { newPet, type NewPet, type Pet } from "@petstore/contract/pet";
import { isReservedId } from "@petstore/contract/rules";
import { basePath } from "@petstore/contract/values";
import {
  createMemoryStore,
  createOperations,
  nextId,
  lastIdAfter,
  type ImportedPet,
  type MemoryStore,
} from "@petstore/service";
import { sleep } from "./deadline.ts";
import { InvalidArgumentError } from "./index.ts";
import { realClock, type Clock } from "./options.ts";
import {
  createTransport,
  json,
  operationOf,
  type FakeHttpRequest,
  type FakeHttpResponse,
} from "./testing-transport.ts";

/** An operation of the service, by its name in the contract. */
export type FakeOperation = OperationName;

/** The options of a fake. All are optional. */
export interface PetstoreFakeOptions {
  /**
   * The initial animals. Those without an id get one: see {@link FakePet.id}.
   * @default []
   */
  pets?: readonly FakePet[] | undefined;
  /**
   * The orders, returned unchanged.
   * @default []
   */
  orders?: readonly Order[] | undefined;
  /**
   * The only valid API key. It has all scopes.
   * @default "pst_test_fake"
   */
  apiKey?: string | undefined;
  /**
   * The time of the service. It decides when idempotency keys expire, when `getPet` is removed, and how long `latencyMs` takes.
   * @default the system's
   */
  clock?: Clock | undefined;
}

/** An initial animal. */
export interface FakePet extends NewPet {
  /**
   * Any 64-bit integer, except 2^52 to 2^53 - 1, which are reserved for new animals.
   * @default one more than the largest id so far from 1 to 2^53 - 1
   */
  id?: Int64 | undefined;
}

/** The Petstore service in memory. Pass it to a client as its options: `createPetstoreClient(petstore)`. */
export interface PetstoreFake {
  /**
   * Responds like the service at `baseUrl`, without a network. No other address can be reached.
   * @throws {TypeError} when the connection fails, like the real `fetch`
   */
  readonly fetch: typeof globalThis.fetch;
  /** The base URL, ending in `/v1`. */
  readonly baseUrl: string;
  /** The only valid API key. */
  readonly apiKey: string;
  /** The time of the service, and of a client with these options. */
  readonly clock: Clock;
  /** The stored animals, in ascending order of id. */
  readonly pets: readonly Pet[];
  /** The orders, in ascending order of id. */
  readonly orders: readonly Order[];
  /** All requests so far, in order, including those that failed with a fault. */
  readonly requests: readonly FakeRequest[];
  /** The faults of the next requests. Each request removes and applies the first fault that matches it. Add faults with `push`. */
  readonly faults: Fault[];
}

/** A request that was sent to the fake, without the API key. */
export interface FakeRequest {
  /** `undefined` if no operation has this method and path. */
  operation: FakeOperation | undefined;
  method: string;
  url: string;
  /** Without `Authorization`. */
  headers: Headers;
  /** The body as text; empty if there was none. */
  body: string;
}

/** A failure of one request. */
export type Fault = ErrorFault | ConnectionFault | BodyFault | LatencyFault;

/** The options of every fault. */
export interface FaultTarget {
  /**
   * The operation whose next request fails.
   * @default any operation
   */
  operation?: FakeOperation | undefined;
  /**
   * Delay of the response, in milliseconds of the clock. With `Infinity` it never arrives: the request waits until it is aborted.
   * @default 0
   */
  latencyMs?: number | undefined;
}

/** The response is an error, and the request does not take effect. */
export interface ErrorFault extends FaultTarget {
  /** The status of the error. One without an error code, such as 502, has an HTML body, like the response of a proxy. */
  status: number;
  /**
   * The code of the Error body.
   * @default the first code with this status
   */
  code?: ErrorCode | undefined;
  /** The `Retry-After` header: a number of seconds, or a date. */
  retryAfter?: number | Date | undefined;
}

/** `fetch` fails, as without a network. */
export interface ConnectionFault extends FaultTarget {
  /** `"refused"`: the request does not take effect. `"lost"`: it takes effect, but the response is lost. */
  connection: "refused" | "lost";
}

/** The request takes effect, but the last byte of its response never arrives. */
export interface BodyFault extends FaultTarget {
  /** `"stalled"`: the body waits until the request is aborted. `"cut"`: the connection breaks. `"invalid"`: the body ends early. */
  body: "stalled" | "cut" | "invalid";
}

/** The request takes effect immediately, but its response is delayed. */
export interface LatencyFault extends FaultTarget {
  latencyMs: number;
}

const origin = "https://petstore.test";

/**
 * Creates a Petstore service in memory, for tests of programs that use the client. It is the real service, including paging, errors
 * and idempotency, but without limits of connections (408, 414, 417, 431), scopes (403), rate limits and outages (429, 500, 503):
 * simulate these with {@link PetstoreFake.faults}. It does not serve `openapi.json`.
 *
 * @throws {InvalidArgumentError} naming an invalid animal or order
 * @example
 * const petstore = createPetstoreFake({ pets: [{ name: "Rex", categoryId: 7 }] });
 * const client = createPetstoreClient(petstore);
 * petstore.faults.push({ status: 503, retryAfter: 1 }, { connection: "lost", operation: "createPet" });
 */
export function createPetstoreFake(options: PetstoreFakeOptions = {}): PetstoreFake {
  const { apiKey = "pst_test_fake", clock = realClock } = options;
  const orders = checkOrders(options.orders ?? []);
  const store = openStore(options.pets ?? [], orders, clock);
  const requests: FakeRequest[] = [];
  const faults: Fault[] = [];
  const now = () => clock.now();
  const operations = createOperations(store, { now, sign, digest: (text) => text });
  const serve = createTransport({ operations, apiKey, now });

  function takeFault(operation: FakeOperation | undefined): AnyFault {
    const index = faults.findIndex((fault) => fault.operation === undefined || fault.operation === operation);
    return index === -1 ? {} : { ...faults.splice(index, 1)[0] };
  }

  async function fetchFake(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const signal = init.signal ?? (input instanceof Request ? input.signal : undefined);
    const request = await receive(new Request(input, init));
    signal?.throwIfAborted();
    const operation = operationOf(request);
    requests.push({ operation, ...withoutKey(request) });
    const fault = takeFault(operation);
    const { connection, latencyMs } = fault;
    const response = connection === "refused" ? undefined : await respond(fault, (failure) => serve(request, failure));
    if (latencyMs !== undefined) await sleep(clock, signal, latencyMs);
    if (response === undefined || connection !== undefined) throw brokenConnection("fetch failed");
    const { status, headers, text } = response;
    const isEmpty = request.method === "HEAD" || text === "";
    return new Response(isEmpty ? null : toBody(text, fault.body, signal), { status, headers });
  }

  /** @param ending what happens instead of the last byte; `undefined` sends the complete body */
  function toBody(text: string, ending: BodyFault["body"] | undefined, signal: AbortSignal | undefined): BodyInit {
    if (ending === undefined) return text;
    let rest = text.slice(0, -1);
    if (ending === "invalid") return rest;
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (rest !== "") controller.enqueue(new TextEncoder().encode(rest));
        else if (ending === "cut") throw brokenConnection("terminated");
        else await sleep(clock, signal, Infinity);
        rest = "";
      },
    });
  }

  return { fetch: fetchFake, baseUrl: origin + basePath, apiKey, clock, pets: store.pets, orders, requests, faults };
}

/** The options of all kinds of faults. */
type AnyFault = Partial<ErrorFault & ConnectionFault & BodyFault>;

async function receive(request: Request): Promise<FakeHttpRequest> {
  const { method, headers } = request;
  const url = new URL(request.url);
  if (url.origin !== origin) throw new TypeError(`the fake serves ${origin}, not ${url.origin}`);
  return { method, url, headers, body: new Uint8Array(await request.arrayBuffer()) };
}

function withoutKey({ method, url, headers, body }: FakeHttpRequest): Omit<FakeRequest, "operation"> {
  const shown = new Headers(headers);
  shown.delete("Authorization");
  return { method, url: url.href, headers: shown, body: new TextDecoder().decode(body) };
}

/** An error like that of the real `fetch`. */
function brokenConnection(message: string): TypeError {
  return new TypeError(message, { cause: new Error("a simulated fault") });
}

/** The response of the service, or the error response of a fault. */
function respond(
  { status, retryAfter, ...fault }: AnyFault,
  serve: (failure?: FakeHttpResponse) => Promise<FakeHttpResponse>,
): FakeHttpResponse | Promise<FakeHttpResponse> {
  if (status === undefined) return serve();
  const code = fault.code ?? errorCodes.find((each) => errors[each].status === status);
  const wait = retryAfter instanceof Date ? retryAfter.toUTCString() : String(retryAfter);
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "Retry-After": wait };
  if (code !== undefined)
    return serve(json(status, { code, message: "This error is a simulated fault.", status }, headers));
  const text = `<!doctype html><title>${status}</title>`;
  return { status, headers: { ...headers, "Content-Type": "text/html" }, text };
}

/** FNV-1a with 128 bits: not secure, but enough for the fake to recognise its own cursors. */
function sign(bytes: Uint8Array): Uint8Array {
  let hash = 0x6c62272e07bb014262b821756295c58dn;
  for (const byte of bytes) hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * 0x1000000000000000000013bn);
  return Uint8Array.from({ length: 16 }, (_, index) => Number((hash >> BigInt(8 * index)) & 255n));
}

function openStore(initial: readonly FakePet[], orders: readonly Order[], clock: Clock): MemoryStore {
  const pets: ImportedPet[] = [];
  const taken = new Set<bigint>();
  let last = 0;
  for (const [index, pet] of initial.entries()) {
    const { id = nextId(last) } = Object(pet) as FakePet;
    const problems = idProblems(id, taken);
    if (problems.length === 0 && isReservedId(id)) problems.push(`id ${expected.importedId}`);
    const invalid = problemsOf(newPet.fields, pet).map(({ field, must }) => `${field} ${must}`.trim());
    checkItem(`pets[${index}]`, [...problems, ...invalid]);
    pets.push({ ...(pickFields(newPet.fields, pet) as unknown as ImportedPet), id });
    last = lastIdAfter(toInt64(BigInt(id)), last);
  }
  return createMemoryStore({
    cursorSecret: new Uint8Array(32),
    now: () => clock.now(),
    pets,
    orders: orders.map((order) => ({ id: order.id, json: stringifyJson(order) })),
  });
}

function checkOrders(initial: readonly Order[]): Order[] {
  const taken = new Set<bigint>();
  for (const [index, order] of initial.entries()) {
    checkItem(`orders[${index}]`, idProblems((Object(order) as Order).id, taken));
  }
  return initial.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

function idProblems(id: unknown, taken: Set<bigint>): string[] {
  if (!isInt64(id)) return [`id ${expected.int64}`];
  if (taken.has(BigInt(id))) return [`id ${id} is taken`];
  taken.add(BigInt(id));
  return [];
}

function checkItem(name: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new InvalidArgumentError(`${name}: ${problems.join("; ")}`);
}
