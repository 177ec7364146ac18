import type { IncomingMessage, RequestListener } from "node:http";
import type { BlockList } from "node:net";
import { operations, type ErrorCode, type Int64, type Operation } from "@petstore/contract";
import {
  deprecationHeaders,
  findRoute,
  operationFor,
  safeHeaders,
  type ApiKey,
  type StoreUnavailableError,
} from "@petstore/service";
import type { Logger } from "pino";
import { clientAddressOf } from "../http/client-address.ts";
import { toRequestId, traceOf } from "../http/request-id.ts";
import type { ResponseHeaders } from "../http/respond.ts";
import type { Metrics } from "../monitoring/metrics.ts";

/** What is known of a request. */
export interface RequestState {
  readonly id: string;
  /** Of the response. */
  readonly headers: ResponseHeaders;
  /** The path template of what was asked for, once it is known. */
  route: string | undefined;
  /** The operation that was asked for. */
  readonly operation: Operation | undefined;
  /** Who asks. Until authenticated, nobody: a key that may do nothing. */
  caller: ApiKey;
  /** Whose key was sent, also when it is revoked or has expired. */
  keyId: string | undefined;
  /** The animal that was created. */
  petId: Int64 | undefined;
  /** How long the request has waited for the store, in milliseconds. */
  storeMs: number;
  /** The code of the Error body. */
  errorCode: ErrorCode | undefined;
  /** Why the store could not answer. */
  storeFailure: StoreUnavailableError["reason"] | undefined;
}

declare module "node:http" {
  interface IncomingMessage {
    /** Set by {@link trackRequests} before anything else of the interface sees the request. */
    state: RequestState;
  }
}

const nobody: ApiKey = { id: "", name: "", kind: "test", scopes: [], createdAt: 0 };

export interface Tracking {
  log: Logger;
  metrics: Metrics;
  /** Whose `X-Forwarded-For` is believed. */
  trustedProxies: BlockList;
}

/** Gives each request its state, the headers of every response, and when it is over a line in the log and its place in the metrics. */
export function trackRequests({ log, metrics, trustedProxies }: Tracking): RequestListener {
  return (req, res) => {
    const startedAt = performance.now();
    metrics.requestStarts();
    const address = clientAddressOf(req, trustedProxies); // the connection may be gone when the line is written
    const state = (req.state = readState(req));
    res.once("close", () => {
      const { method = "" } = req;
      const { id, route, operation, errorCode, storeFailure, caller, keyId, petId } = state;
      const status = res.headersSent ? res.statusCode : undefined;
      const durationMs = performance.now() - startedAt;
      const callerId = caller === nobody ? undefined : caller.id;
      const isDeprecated = operation?.deprecation !== undefined;
      metrics.requestEnds({ method, route, status, durationMs, errorCode, storeFailure, callerId, isDeprecated });
      const trace = traceOf(req);
      const ms = Math.round(durationMs * 1000) / 1000;
      const aborted = res.writableFinished ? undefined : true; // the client left before it had the whole response
      log.info(
        { requestId: id, ...trace, method, route, status, code: errorCode, ms, keyId, petId, ...address, aborted },
        storeFailure === "busy" && keyId === undefined ? "request refused" : "request",
      );
    });
  };
}

function readState({ headers, method = "", url = "" }: IncomingMessage): RequestState {
  const [path = ""] = url.split("?", 1);
  const route = findRoute(path);
  const name = route && operationFor(route, method);
  const operation = name && operations[name];
  const id = toRequestId(headers["x-request-id"]);
  return {
    id,
    // What a deprecated operation announces is on each of its responses, errors too.
    headers: { "X-Request-Id": id, ...safeHeaders, ...(operation && deprecationHeaders(operation)) },
    route: route?.template,
    operation,
    caller: nobody,
    keyId: undefined,
    petId: undefined,
    storeMs: 0,
    errorCode: undefined,
    storeFailure: undefined,
  };
}
