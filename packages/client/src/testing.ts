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
import { forever, withDeadline } from "./deadline.ts";
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

/** What a fake is made with. Each can be left out. */
export interface PetstoreFakeOptions {
  /**
   * The animals that are there at the start. Those without an id are numbered on from the largest before them.
   * @default []
   */
  pets?: readonly FakePet[] | undefined;
  /**
   * The orders, which the service passes through as they are.
   * @default []
   */
  orders?: readonly Order[] | undefined;
  /**
   * The API key that is accepted. It has every scope.
   * @default "pst_test_fake"
   */
  apiKey?: string | undefined;
  /**
   * The time of the service: when idempotency keys expire and `getPet` ends, and how long a latency takes.
   * @default the system's
   */
  clock?: Clock | undefined;
}

/** An animal to start with. */
export interface FakePet extends NewPet {
  /**
   * Any 64-bit integer but those from 2^52 to 2^53 - 1, which are kept for new animals.
   * @default one more than the largest so far from 1 to 2^53 - 1
   */
  id?: Int64 | undefined;
}

/** The Petstore service in memory. It is what a client is made with: `createPetstoreClient(petstore)`. */
export interface PetstoreFake {
  /**
   * Responds as the service at `baseUrl` does, without a network. Everything else cannot be reached.
   * @throws {TypeError} when the connection fails, as the real `fetch` does
   */
  readonly fetch: typeof globalThis.fetch;
  /** Its address, ending in `/v1`. */
  readonly baseUrl: string;
  /** The API key that is accepted. */
  readonly apiKey: string;
  /** Its time, which a client that is made with it shares. */
  readonly clock: Clock;
  /** The animals that are stored now, in ascending order of id. */
  readonly pets: readonly Pet[];
  /** The orders, in ascending order of id. */
  readonly orders: readonly Order[];
  /** Every request that was sent, in order, those that a fault befell too. */
  readonly requests: readonly FakeRequest[];
  /** What goes wrong next: each request takes the first that is meant for it, and so uses it up. Add with `push`. */
  readonly faults: Fault[];
}

/** A request as it was sent, without the API key. */
export interface FakeRequest {
  /** `undefined` when no operation has this method and path. */
  operation: FakeOperation | undefined;
  method: string;
  url: string;
  /** Without `Authorization`. */
  headers: Headers;
  /** As text; empty when there was none. */
  body: string;
}

/** Something that goes wrong with one request. */
export type Fault = AnswerFault | ConnectionFault | BodyFault | LatencyFault;

/** What every fault can say. */
export interface FaultTarget {
  /**
   * The operation whose next request it befalls.
   * @default whichever comes next
   */
  operation?: FakeOperation | undefined;
  /**
   * How late the response comes, in milliseconds of the clock. `Infinity`: never, until the request is aborted.
   * @default 0
   */
  latencyMs?: number | undefined;
}

/** The response is an error, and the request does not take effect. */
export interface AnswerFault extends FaultTarget {
  /** A status that the service has no code for, such as 502, comes as the HTML page of a proxy. */
  status: number;
  /**
   * The code of the Error body.
   * @default the first of the contract with this status
   */
  code?: ErrorCode | undefined;
  /** `Retry-After`: in seconds, or when. */
  retryAfter?: number | Date | undefined;
}

/** `fetch` fails, as without a connection. */
export interface ConnectionFault extends FaultTarget {
  /** `"refused"`: the request does not take effect. `"lost"`: it does, and its response gets lost. */
  connection: "refused" | "lost";
}

/** The request takes effect, and the head of its response comes, but the last byte of the body does not. */
export interface BodyFault extends FaultTarget {
  /** `"stalled"`: nothing follows until the request is aborted. `"cut"`: the connection breaks. `"invalid"`: the body ends there. */
  body: "stalled" | "cut" | "invalid";
}

/** The request takes effect at once, and its response comes late. */
export interface LatencyFault extends FaultTarget {
  latencyMs: number;
}

const origin = "https://petstore.test";

/**
 * Makes a Petstore service in memory, for the tests of programs that use the client. It is the real service, paging, errors
 * and idempotency included; but a connection has no limits here (408, 414, 417, 431), keys have no scopes (403), and
 * nothing is unavailable (429, 500, 503), except by {@link PetstoreFake.faults}. It has no `openapi.json`.
 *
 * @throws {InvalidArgumentError} naming the animal or order that the service could not hold
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
    if (latencyMs !== undefined) {
      await withDeadline(clock, signal, "attempt", latencyMs, forever).catch(() => signal?.throwIfAborted());
    }
    if (response === undefined || connection !== undefined) throw brokenConnection("fetch failed");
    const { status, headers, text } = response;
    const isEmpty = request.method === "HEAD" || text === "";
    return new Response(isEmpty ? null : toBody(text, fault.body, signal), { status, headers });
  }

  /** @param ending what becomes of the last byte, if it does not arrive */
  function toBody(text: string, ending: BodyFault["body"] | undefined, signal: AbortSignal | undefined): BodyInit {
    if (ending === undefined) return text;
    let rest = text.slice(0, -1);
    if (ending === "invalid") return rest;
    return new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (rest !== "") controller.enqueue(new TextEncoder().encode(rest));
        else if (ending === "cut") throw brokenConnection("terminated");
        else await withDeadline(clock, signal, "attempt", Infinity, forever);
        rest = "";
      },
    });
  }

  return { fetch: fetchFake, baseUrl: origin + basePath, apiKey, clock, pets: store.pets, orders, requests, faults };
}

/** What any fault may say. */
type AnyFault = Partial<AnswerFault & ConnectionFault & BodyFault>;

async function receive(request: Request): Promise<FakeHttpRequest> {
  const { method, headers } = request;
  const url = new URL(request.url);
  if (url.origin !== origin) throw new TypeError(`The fake is at ${origin}, not at ${url.origin}`);
  return { method, url, headers, body: new Uint8Array(await request.arrayBuffer()) };
}

function withoutKey({ method, url, headers, body }: FakeHttpRequest): Omit<FakeRequest, "operation"> {
  const shown = new Headers(headers);
  shown.delete("Authorization");
  return { method, url: url.href, headers: shown, body: new TextDecoder().decode(body) };
}

/** What the real `fetch` fails with. */
function brokenConnection(message: string): TypeError {
  return new TypeError(message, { cause: new Error("A fault of the fake") });
}

/** The response of the service, or what a fault puts in its place. */
function respond(
  { status, retryAfter, ...fault }: AnyFault,
  serve: (failure?: FakeHttpResponse) => Promise<FakeHttpResponse>,
): FakeHttpResponse | Promise<FakeHttpResponse> {
  if (status === undefined) return serve();
  const code = fault.code ?? errorCodes.find((each) => errors[each].status === status);
  const wait = retryAfter instanceof Date ? retryAfter.toUTCString() : String(retryAfter);
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "Retry-After": wait };
  if (code !== undefined) return serve(json(status, { code, message: "This fault was asked for.", status }, headers));
  const text = `<!doctype html><title>${status}</title>`;
  return { status, headers: { ...headers, "Content-Type": "text/html" }, text };
}

/** FNV-1a over 128 bits: enough to recognise what the fake itself has written. */
function sign(bytes: Uint8Array): Uint8Array {
  let hash = 0x6c62272e07bb014262b821756295c58dn;
  for (const byte of bytes) hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * 0x1000000000000000000013bn);
  return Uint8Array.from({ length: 16 }, (_, index) => Number((hash >> BigInt(8 * index)) & 255n));
}

function openStore(given: readonly FakePet[], orders: readonly Order[], clock: Clock): MemoryStore {
  const pets: ImportedPet[] = [];
  const taken = new Set<bigint>();
  let last = 0;
  for (const [index, pet] of given.entries()) {
    const { id = nextId(last) } = Object(pet) as FakePet;
    const problems = idProblems(id, taken);
    if (problems.length === 0 && isReservedId(id)) problems.push(`id ${expected.importedId}`);
    const wrong = problemsOf(newPet.fields, pet).map(({ field, must }) => `${field} ${must}`.trim());
    refuseItem(`pets[${index}]`, [...problems, ...wrong]);
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

function checkOrders(given: readonly Order[]): Order[] {
  const taken = new Set<bigint>();
  for (const [index, order] of given.entries()) {
    refuseItem(`orders[${index}]`, idProblems((Object(order) as Order).id, taken));
  }
  return given.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

function idProblems(id: unknown, taken: Set<bigint>): string[] {
  if (!isInt64(id)) return [`id ${expected.int64}`];
  if (taken.has(BigInt(id))) return [`id ${id} is taken`];
  taken.add(BigInt(id));
  return [];
}

function refuseItem(name: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new InvalidArgumentError(`${name}: ${problems.join("; ")}`);
}
