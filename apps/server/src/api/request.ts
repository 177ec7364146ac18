import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { BlockList } from "node:net";
import type { ErrorCode, Int64, Operation } from "@petstore/contract";
import {
  safeHeaders,
  unavailable,
  type ApiKey,
  type StoreUnavailableError,
} from "@petstore/service";
import type { Logger } from "pino";
import { clientAddressOf } from "../http/client-address.ts";
import { toRequestId, traceOf } from "../http/request-id.ts";
import { headersOf, PendingResponse } from "../http/respond.ts";
import type { Metrics } from "../monitoring/metrics.ts";
import type { TimeLimits } from "../time-limits.ts";

/** What is known about a request. */
export interface RequestState {
  readonly id: string;
  /** The requested path template, once it is known. */
  route?: string | undefined;
  /** The requested operation, once it is known. */
  operation?: Operation;
  /** The caller's key. Until it is accepted, a key without permissions. */
  caller: ApiKey;
  /** The id of the key that was sent, even if it is revoked or expired. */
  keyId?: string | undefined;
  /** The animal that was created or changed. */
  petId?: Int64 | undefined;
  /** The animals that a batch created, now or before. */
  petIds?: readonly Int64[];
  /** The names of its fields that were changed. */
  changedFields?: readonly string[];
  /** How long the request may still wait for the store, in milliseconds. */
  storeMsLeft: number;
  /** The code of the Error body. */
  errorCode?: ErrorCode;
  /** Why the store failed. */
  storeFailure?: StoreUnavailableError["reason"];
}

/** A response that knows the state of its request. */
export class TrackedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends PendingResponse<Request> {
  /** Set by {@link trackRequests}, before any other code of the API sees the request. */
  state: RequestState | undefined;
}

/** The state of a request, by its response. */
export function stateOf(res: ServerResponse): RequestState {
  return (res as TrackedResponse).state as RequestState;
}

/** How often to log the number of rejected requests. */
const rejectionLogMs = 1_000;

const anonymous: ApiKey = { id: "", name: "", kind: "test", scopes: [], createdAt: 0 };

export interface Tracking {
  log: Logger;
  metrics: Metrics;
  limits: Pick<TimeLimits, "store">;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: BlockList;
}

/**
 * Gives each request its state, and each response the common headers. Logs and counts each request
 * when it ends.
 */
export function trackRequests({ log, metrics, limits, trustedProxies }: Tracking): RequestListener {
  let rejected = 0;
  /** A line for each rejection would cost as much as the rejection. */
  function countRejection(): void {
    if (rejected++ > 0) return;
    setTimeout(() => {
      log.info(
        { status: unavailable.status, code: unavailable.code, count: rejected },
        "requests rejected",
      );
      rejected = 0;
    }, rejectionLogMs).unref();
  }
  return (req, res) => {
    const startedAt = performance.now();
    metrics.requestStarts();
    const { clientAddress, forwardedAddress } = clientAddressOf(req, trustedProxies);
    const id = toRequestId(req.headers["x-request-id"]);
    const state: RequestState = { id, caller: anonymous, storeMsLeft: limits.store };
    (res as TrackedResponse).state = state;
    Object.assign(headersOf(res), { "X-Request-Id": id }, safeHeaders);
    res.once("close", () => {
      const { method = "" } = req;
      const {
        route,
        operation,
        errorCode,
        storeFailure,
        caller,
        keyId,
        petId,
        petIds,
        changedFields,
      } = state;
      const status = res.headersSent ? res.statusCode : undefined;
      const durationMs = performance.now() - startedAt;
      const isDeprecated = caller !== anonymous && operation?.metadata.deprecation !== undefined;
      metrics.requestEnds({
        method,
        route,
        status,
        durationMs,
        errorCode,
        storeFailure,
        isDeprecated,
      });
      if (storeFailure === "busy" && keyId === undefined) return countRejection();
      const { traceId, parentSpanId } = traceOf(req);
      // What is undefined is left out.
      const line = {
        requestId: id,
        traceId,
        parentSpanId,
        method,
        route,
        status,
        code: errorCode,
        ms: Math.round(durationMs * 1000) / 1000,
        keyId,
        petId,
        petIds,
        changedFields,
        clientAddress,
        forwardedAddress,
        // the client left before it had the complete response
        aborted: res.writableFinished ? undefined : true,
      };
      log.info(line, "request");
    });
  };
}
