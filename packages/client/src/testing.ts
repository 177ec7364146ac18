import {
  isInt64,
  parseInt64,
  stringifyJson,
  type Int64,
  type Int64Form,
} from "@petstore/contract/int64";
import { expected } from "@petstore/contract/messages";
import type { Order } from "@petstore/contract/order";
import { newPetSchema, petSchema, type Pet } from "@petstore/contract/pet";
import { isObject, problemsOf } from "@petstore/contract/problems";
import { basePath, baseUrlPattern, isReservedId } from "@petstore/contract/rules";
import { createMemoryStore, createOperations, type ImportedPet } from "@petstore/service";
import { take, type Names } from "./check.ts";
import { sleep } from "./deadline.ts";
import type { Clock, clientOptions } from "./options.ts";
import type { NewPet } from "./pet.ts";
import { realClock } from "./resolve-options.ts";
import {
  createFaults,
  reject,
  respond,
  takeFault,
  type FakeRequest,
  type Fault,
} from "./testing-faults.ts";
import { readRequest, toResponse, type Ending } from "./testing-fetch.ts";
import { createTransport, operationOf, type FakeHttpRequest } from "./testing-transport.ts";

export type {
  BodyFault,
  ConnectionFault,
  ErrorFault,
  FakeOperation,
  FakeRequest,
  Fault,
  FaultTarget,
  LatencyFault,
} from "./testing-faults.ts";

/** The options of a fake. All are optional. */
export interface PetstoreFakeOptions {
  /**
   * The initial animals. Those without an id get one: see {@link FakePet.id}.
   * @default []
   */
  pets?: readonly FakePet[] | undefined;
  /**
   * The orders, with an id in any form. Everything else is returned unchanged.
   * @default []
   */
  orders?: readonly Order<Int64Form>[] | undefined;
  /**
   * The only valid API key. It has all scopes.
   * @default "pst_test_fake"
   */
  apiKey?: string | undefined;
  /**
   * The address in links to the next page, ending in `/v1`, as `PETSTORE_PUBLIC_URL` of the server.
   * @default none: links are relative
   */
  publicUrl?: string | undefined;
  /**
   * The time of the service. It decides when idempotency keys expire, when `getPet` is removed, and
   * how long `latencyMs` takes.
   * @default the system's
   */
  clock?: Clock | undefined;
}

const fakeOptions: Names<PetstoreFakeOptions> = {
  pets: true,
  orders: true,
  apiKey: true,
  publicUrl: true,
  clock: true,
};

/** An initial animal. */
export interface FakePet extends NewPet {
  /**
   * Any 64-bit integer, in any form, except 2^52 to 2^53 - 1, which are reserved for new animals.
   * @default one more than the largest id so far from 1 to 2^53 - 1
   */
  id?: Int64<Int64Form> | undefined;
}

/**
 * The Petstore service in memory. Pass it to a client as its options:
 * `createPetstoreClient(petstore)`.
 */
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
  /**
   * The faults of the next requests. The first fault that matches a request applies to it. A fault
   * is removed after the last of its `times`. Add faults with `push`, which throws a
   * {@link TypeError} for an invalid one; remove all with `faults.length = 0`.
   */
  readonly faults: Fault[];
}

const origin = "https://petstore.test";

/**
 * Creates a Petstore service in memory, for tests of programs that use the client. It is the real
 * service, including paging, errors and idempotency, but without limits of connections (408, 414,
 * 417, 431), scopes (403), rate limits and outages (429, 500, 503): simulate these with
 * {@link PetstoreFake.faults}. It does not serve `openapi.json`.
 *
 * @throws {TypeError} naming an invalid option or animal
 * @throws {Error} when two different animals have the same id
 * @example const petstore = createPetstoreFake({ pets: [{ name: "Rex", categoryId: 7 }] }); const
 * client = createPetstoreClient(petstore); petstore.faults.push({ status: 503, retryAfter: 1 }, {
 * connection: "lost", operation: "createPet" });
 */
export function createPetstoreFake(options?: PetstoreFakeOptions): PetstoreFake {
  const taken = take("options", fakeOptions, options, reject);
  const { apiKey = "pst_test_fake", publicUrl, clock = realClock } = taken;
  if (publicUrl !== undefined && !baseUrlPattern.test(publicUrl))
    reject("publicUrl", "like https://host/v1");
  const orders = toOrders(taken.orders ?? []);
  const now = () => clock.now();
  const store = createMemoryStore({
    cursorSecret: new Uint8Array(32),
    now,
    pets: (taken.pets ?? []).map(toImported),
    orders: orders.map((order) => ({ id: order.id, json: stringifyJson(order) })),
  });
  const requests: FakeRequest[] = [];
  const faults = createFaults();
  const counts = new WeakMap<Fault, number>();
  const operations = createOperations(store, {
    now,
    sign,
    publicUrl,
    digest: (text) => text,
    reportBug() {},
  });
  const serve = createTransport(operations, apiKey, now);

  async function fetchFake(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const signal =
      init.signal ?? (typeof input === "object" && "signal" in input ? input.signal : undefined);
    const request = await readRequest(input, init);
    const { url } = request;
    if (url.origin !== origin) throw new TypeError(`the fake serves ${origin}, not ${url.origin}`);
    if (signal?.aborted) throw signal.reason;
    const shown = { operation: operationOf(request), ...withoutKey(request) };
    requests.push(shown);
    const fault = takeFault(faults, counts, shown);
    const { connection, latencyMs } = fault;
    const response =
      connection === "refused"
        ? undefined
        : await respond(fault, (failure) => serve(request, failure));
    if (latencyMs !== undefined) await sleep(clock, signal, latencyMs);
    if (response === undefined || connection !== undefined) throw brokenConnection("fetch failed");
    const text = request.method === "HEAD" ? "" : response.text;
    if (text === "" || fault.body === undefined)
      return toResponse({ ...response, text }, undefined);
    const begun = { ...response, text: text.slice(0, -1) };
    return toResponse(begun, fault.body === "invalid" ? undefined : endingOf(fault.body, signal));
  }

  function endingOf(body: "stalled" | "cut", signal: AbortSignal | undefined): Ending {
    return async () => {
      if (body === "stalled") await sleep(clock, signal, Infinity);
      throw brokenConnection("terminated");
    };
  }

  const connection = { fetch: fetchFake, baseUrl: origin + basePath, apiKey, clock };
  // A client takes a fake, or a copy of it, as its options: it must know every name.
  return { ...connection, pets: store.pets, orders, requests, faults } satisfies Partial<
    Record<keyof typeof clientOptions, unknown>
  >;
}

function withoutKey({
  method,
  url,
  headers,
  body,
}: FakeHttpRequest): Omit<FakeRequest, "operation"> {
  const shown = new Headers(headers);
  shown.delete("Authorization");
  return {
    method,
    url: url.href,
    headers: shown,
    body: typeof body === "string" ? body : new TextDecoder().decode(body),
  };
}

/** An error like that of the real `fetch`. */
function brokenConnection(message: string): TypeError {
  return new TypeError(message, { cause: new Error("a simulated fault") });
}

/** FNV-1a with 128 bits: not secure, but enough for the fake to recognise its own cursors. */
function sign(text: string): string {
  let hash = 0x6c62272e07bb014262b821756295c58dn;
  for (const character of text)
    hash = BigInt.asUintN(
      128,
      (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x1000000000000000000013bn,
    );
  return hash.toString(36).padStart(25, "0");
}

function toImported(given: FakePet, index: number): ImportedPet {
  const exact = withExactIntegers(given) as ImportedPet;
  const problems = problemsOf(newPetSchema, exact);
  if (exact?.id !== undefined) {
    if (!isInt64(exact.id)) problems.push({ field: "id", must: expected.int64 });
    else if (isReservedId(exact.id)) problems.push({ field: "id", must: expected.importedId });
  }
  if (problems.length > 0)
    throw new TypeError(
      `pets[${index}]: ${problems.map(({ field, must }) => `${field} ${must}`.trim()).join("; ")}`,
    );
  return { ...newPetSchema.parse(exact), ...(exact.id !== undefined && { id: exact.id }) };
}

const int64Fields = Object.entries(petSchema.shape).flatMap(([name, schema]) =>
  schema.meta()?.["format"] === "int64" ? [name] : [],
);

/**
 * The animal with its 64-bit integers in the exact form. Everything else, valid or not, is
 * unchanged.
 */
function withExactIntegers(given: unknown): unknown {
  if (!isObject(given)) return given;
  const entries = Object.entries(given).map(([name, value]) => {
    const isText = typeof value === "string" && int64Fields.includes(name);
    return [name, isText ? (parseInt64(value) ?? value) : value];
  });
  return Object.fromEntries(entries);
}

function toOrders(initial: readonly Order<Int64Form>[]): Order[] {
  const orders = initial.map((order) => ({
    ...order,
    id: typeof order.id === "string" ? parseInt64(order.id) : order.id,
  }));
  return (orders as Order[]).toSorted((left, right) => (left.id < right.id ? -1 : 1));
}
