import type { IncomingMessage, RequestListener } from "node:http";
import type { BlockList } from "node:net";
import { operations, type ErrorCode, type Int64, type Operation } from "@petstore/contract";
import {
  deprecationHeaders,
  findRoute,
  operationFor,
  safeHeaders,
  unavailable,
  type ApiKey,
  type StoreUnavailableError,
} from "@petstore/service";
import type { Logger } from "pino";
import { clientAddressOf } from "../http/client-address.ts";
import { toRequestId, traceOf } from "../http/request-id.ts";
import type { ResponseHeaders } from "../http/respond.ts";
import type { Metrics } from "../monitoring/metrics.ts";

/** The state of a request. */
export interface RequestState {
  readonly id: string;
  /** The headers of the response. */
  readonly headers: ResponseHeaders;
  /** The requested path template, once it is known. */
  route: string | undefined;
  /** The requested operation. */
  readonly operation: Operation | undefined;
  /** The caller's key. Until authentication, a key without permissions. */
  caller: ApiKey;
  /** The id of the key that was sent, even if it is revoked or expired. */
  keyId: string | undefined;
  /** The animal that was created. */
  petId: Int64 | undefined;
  /** How long the request has waited for the store, in milliseconds. */
  storeMs: number;
  /** The code of the Error body. */
  errorCode: ErrorCode | undefined;
  /** Why the store failed. */
  storeFailure: StoreUnavailableError["reason"] | undefined;
}

declare module "node:http" {
  interface IncomingMessage {
    /** Set by {@link trackRequests} before any other code of the API sees the request. */
    state: RequestState;
  }
}

/** How often to log the number of rejected requests. */
const rejectionLogMs = 1_000;

const anonymous: ApiKey = { id: "", name: "", kind: "test", scopes: [], createdAt: 0 };

export interface Tracking {
  log: Logger;
  metrics: Metrics;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: BlockList;
}

/** Gives each request its state and the headers of every response. Logs and counts it when it is finished. */
export function trackRequests({ log, metrics, trustedProxies }: Tracking): RequestListener {
  let rejected = 0;
  /** A line for each rejection would cost as much as the rejection. */
  function countRejection(): void {
    if (rejected++ > 0) return;
    setTimeout(() => {
      log.info({ status: unavailable.status, code: unavailable.code, count: rejected }, "requests rejected");
      rejected = 0;
    }, rejectionLogMs).unref();
  }
  return (req, res) => {
    const startedAt = performance.now();
    metrics.requestStarts();
    const address = clientAddressOf(req, trustedProxies); // read now: the connection may be gone when the line is logged
    const state = (req.state = readState(req));
    res.once("close", () => {
      const { method = "" } = req;
      const { id, route, operation, errorCode, storeFailure, caller, keyId, petId } = state;
      const status = res.headersSent ? res.statusCode : undefined;
      const durationMs = performance.now() - startedAt;
      const callerId = caller === anonymous ? undefined : caller.id;
      const isDeprecated = operation?.metadata.deprecation !== undefined;
      metrics.requestEnds({ method, route, status, durationMs, errorCode, storeFailure, callerId, isDeprecated });
      if (storeFailure === "busy" && keyId === undefined) return countRejection();
      const trace = traceOf(req);
      const ms = Math.round(durationMs * 1000) / 1000;
      const aborted = res.writableFinished ? undefined : true; // the client left before it had the complete response
      log.info(
        { requestId: id, ...trace, method, route, status, code: errorCode, ms, keyId, petId, ...address, aborted },
        "request",
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
    // A deprecated operation announces its end on every response, errors too.
    headers: { "X-Request-Id": id, ...safeHeaders, ...(operation && deprecationHeaders(operation)) },
    route: route?.template,
    operation,
    caller: anonymous,
    keyId: undefined,
    petId: undefined,
    storeMs: 0,
    errorCode: undefined,
    storeFailure: undefined,
  };
}
