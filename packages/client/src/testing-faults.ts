import { operations } from "@petstore/contract/contract";
import { errorCodes, type ErrorCode } from "@petstore/contract/error-codes";
import { errors } from "@petstore/contract/errors";
import type { OperationName } from "@petstore/contract/metadata";
import { isObject } from "@petstore/contract/problems";
import { choiceRule } from "@petstore/contract/rules";
import { checkFields, optional, take, toMessage, type Check, type Names } from "./check.ts";
import { json, type FakeHttpResponse } from "./testing-transport.ts";

/** An operation of the service, by its name in the contract. */
export type FakeOperation = OperationName;

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

/** A failure of requests: of one kind, with a delay if it has one. */
export type Fault = ErrorFault | ConnectionFault | BodyFault | LatencyFault;

/** The options of every fault. */
export interface FaultTarget {
  /**
   * The operation whose requests fail.
   * @default any operation
   */
  operation?: FakeOperation | undefined;
  /**
   * Whether a request fails. It is called only with requests of the `operation`.
   * @default every request
   */
  when?: ((request: FakeRequest) => boolean) | undefined;
  /**
   * The number of requests that fail, retries included. With `Infinity` they fail until the fault
   * is removed.
   * @default 1
   */
  times?: number | undefined;
  /**
   * Delay of the response, in milliseconds of the clock. With `Infinity` it never arrives: the
   * request waits until it is aborted.
   * @default 0
   */
  latencyMs?: number | undefined;
}

/** The response is an error, and the request does not take effect. */
export interface ErrorFault extends FaultTarget {
  /**
   * The status of the error or redirect, from 300 to 599, except 304. A status without an error
   * code, such as 502, has an HTML body, like the response of a proxy.
   */
  status: number;
  /**
   * The code of the Error body.
   * @default the first code with this status
   */
  code?: ErrorCode | undefined;
  /** The `Retry-After` header: a number of seconds, or a date. */
  retryAfter?: number | Date | undefined;
  /** Other headers of the response, such as the `Location` of a redirect. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** `fetch` fails, as without a network. */
export interface ConnectionFault extends FaultTarget {
  /**
   * `"refused"`: the request does not take effect. `"lost"`: it takes effect, but the response is
   * lost.
   */
  connection: "refused" | "lost";
}

/** The request takes effect, but the last byte of its response never arrives. */
export interface BodyFault extends FaultTarget {
  /**
   * `"stalled"`: the body waits until the request is aborted. `"cut"`: the connection breaks.
   * `"invalid"`: the body ends early.
   */
  body: "stalled" | "cut" | "invalid";
}

/** The request takes effect immediately, but its response is delayed. */
export interface LatencyFault extends FaultTarget {
  latencyMs: number;
}

/** The options of all kinds of faults. */
export type AnyFault = Partial<ErrorFault & ConnectionFault & BodyFault>;

function oneOf(values: readonly string[]): Check {
  return optional((value) => values.includes(value as string), choiceRule(values));
}

const targetChecks: Readonly<Record<keyof FaultTarget, Check>> = {
  operation: oneOf(Object.keys(operations)),
  when: optional((value) => typeof value === "function", "a function"),
  times: optional(
    (value) => value === Infinity || (Number.isInteger(value) && (value as number) > 0),
    "a whole number above 0, or Infinity",
  ),
  latencyMs: optional((value) => typeof value === "number" && value >= 0, "a number of at least 0"),
};

const errorChecks: Readonly<Record<keyof ErrorFault, Check>> = {
  ...targetChecks,
  status: optional(
    // A response with the status 304 has no body.
    (value) => Number.isInteger(value) && /^[345]..$/.test(String(value)) && value !== 304,
    "from 300 to 599, except 304",
  ),
  code: oneOf(errorCodes),
  retryAfter: optional(
    (value) =>
      (typeof value === "number" && value >= 0) ||
      (value instanceof Date && !Number.isNaN(value.getTime())),
    "a number of seconds, or a date",
  ),
  headers: optional(isObject, "an object"),
};

const connectionChecks: Readonly<Record<keyof ConnectionFault, Check>> = {
  ...targetChecks,
  connection: oneOf(["refused", "lost"]),
};

const bodyChecks: Readonly<Record<keyof BodyFault, Check>> = {
  ...targetChecks,
  body: oneOf(["stalled", "cut", "invalid"]),
};

/**
 * The kinds of faults, by the name that each requires. A delay is also part of every other kind.
 */
const kinds = {
  status: errorChecks,
  connection: connectionChecks,
  body: bodyChecks,
  latencyMs: targetChecks,
};

const allChecks = Object.assign({}, ...Object.values(kinds)) as Readonly<
  Record<keyof AnyFault, Check>
>;

/**
 * A list of faults that rejects those that would never apply, or not as they say, when they are
 * added.
 */
export function createFaults(): Fault[] {
  return new Proxy<Fault[]>([], {
    set(faults, name, value) {
      if (name !== "length") checkFault(value as Fault);
      return Reflect.set(faults, name, value);
    },
  });
}

/** @throws {TypeError} naming what is wrong */
function checkFault(fault: Fault): void {
  const given = take<AnyFault>("a fault", namesOf(allChecks), fault, reject);
  checkFields(given, allChecks, reject);
  const kind = (Object.keys(kinds) as (keyof typeof kinds)[]).find(
    (each) => given[each] !== undefined,
  );
  if (kind === undefined)
    return reject("a fault", `an object with one of ${Object.keys(kinds).join(", ")}`);
  take<object>(`a fault with ${kind}`, namesOf(kinds[kind]), given, reject);
}

function namesOf<Name extends string>(
  checks: Readonly<Record<Name, Check>>,
): Names<Record<Name, unknown>> {
  return Object.fromEntries(Object.keys(checks).map((name) => [name, true])) as Record<Name, true>;
}

/**
 * Unlike the client, the fake throws no class of the client, of which a program may have two
 * copies: a module and CommonJS.
 */
export function reject(name: string, rule: string): never {
  throw new TypeError(toMessage(name, rule));
}

/**
 * Finds the first fault that matches a request, and counts it.
 * @param counts how often each fault was applied; the faults themselves stay unchanged
 */
export function takeFault(
  faults: Fault[],
  counts: WeakMap<Fault, number>,
  request: FakeRequest,
): AnyFault {
  const index = faults.findIndex(
    ({ operation = request.operation, when }) =>
      operation === request.operation && (when?.(request) ?? true),
  );
  const fault = faults[index];
  if (fault === undefined) return {};
  const count = (counts.get(fault) ?? 0) + 1;
  const isLast = count >= (fault.times ?? 1);
  counts.set(fault, isLast ? 0 : count); // it may be added again
  if (isLast) faults.splice(index, 1);
  return fault;
}

/** The response of the service, or the error response of a fault. */
export function respond(
  { status, retryAfter, headers: given, ...fault }: AnyFault,
  serve: (failure?: FakeHttpResponse) => Promise<FakeHttpResponse>,
): FakeHttpResponse | Promise<FakeHttpResponse> {
  if (status === undefined) return serve();
  const code = fault.code ?? errorCodes.find((each) => errors[each].status === status);
  const wait = retryAfter instanceof Date ? retryAfter.toUTCString() : String(retryAfter);
  const headers: Record<string, string> = {
    ...given,
    ...(retryAfter !== undefined && { "Retry-After": wait }),
  };
  if (code !== undefined)
    return serve(
      json(status, { code, message: "This error is a simulated fault.", status }, headers),
    );
  const text = `<!doctype html><title>${status}</title>`;
  return { status, headers: { ...headers, "Content-Type": "text/html" }, text };
}
