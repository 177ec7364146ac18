import { errors, errorCodes, type ErrorCode } from "@petstore/contract/errors";
import type { OperationName } from "@petstore/contract/metadata";
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

/** A failure of requests. */
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
   * The number of requests that fail, retries included. With `Infinity` they fail until the fault is removed.
   * @default 1
   */
  times?: number | undefined;
  /**
   * Delay of the response, in milliseconds of the clock. With `Infinity` it never arrives: the request waits until it is aborted.
   * @default 0
   */
  latencyMs?: number | undefined;
}

/** The response is an error, and the request does not take effect. */
export interface ErrorFault extends FaultTarget {
  /**
   * The status of the error or redirect, from 300 to 599, except 304. A status without an error code, such as 502, has an HTML body, like
   * the response of a proxy.
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

/** The options of all kinds of faults. */
export type AnyFault = Partial<ErrorFault & ConnectionFault & BodyFault>;

/**
 * Finds the first fault that matches a request, and counts it.
 * @param counts how often each fault was applied; the faults themselves stay unchanged
 */
export function takeFault(faults: Fault[], counts: WeakMap<Fault, number>, request: FakeRequest): AnyFault {
  const index = faults.findIndex(
    ({ operation = request.operation, when }) => operation === request.operation && (when?.(request) ?? true),
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
  const headers: Record<string, string> = { ...given, ...(retryAfter !== undefined && { "Retry-After": wait }) };
  if (code !== undefined)
    return serve(json(status, { code, message: "This error is a simulated fault.", status }, headers));
  const text = `<!doctype html><title>${status}</title>`;
  return { status, headers: { ...headers, "Content-Type": "text/html" }, text };
}
