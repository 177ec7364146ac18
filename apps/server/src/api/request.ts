import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { BlockList } from "node:net";
import { pathTemplate, type ErrorCode, type Int64, type OperationMetadata } from "@petstore/contract";
import type { AppRoute } from "@ts-rest/core";
import type { Request, RequestHandler } from "express";
import type { Logger } from "pino";
import { clientAddressOf } from "../http/client-address.ts";
import type { Metrics } from "../monitoring/metrics.ts";
import type { ApiKey, StoreUnavailableError } from "../store/store.ts";

declare global {
  namespace Express {
    /** What the edge knows about a request. */
    interface Locals {
      requestId: string;
      /** The path template, once it is known. */
      route?: string;
      /** Who asks, once authenticated. */
      apiKey?: ApiKey;
      /** Whose key was sent, also when it is revoked or has expired. */
      keyId?: string | undefined;
      /** The animal that was created. */
      petId?: Int64;
      /** How long the request has waited for the store. */
      storeMs?: number;
      /** The code of the Error body. */
      errorCode?: ErrorCode;
      /** Why the store could not answer. */
      storeFailure?: StoreUnavailableError["reason"];
    }
    interface Request {
      /** Set by ts-rest before anything of ours runs for an operation. */
      tsRestRoute?: AppRoute;
    }
  }
}

/** Headers of every answer, whoever writes it (D17). */
export const safeHeaders = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/** Gives each request an id, and when it is over a line in the log (D15) and its place in the metrics. */
export function trackRequests(log: Logger, metrics: Metrics, trustedProxies: BlockList): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    metrics.requestStarts();
    const { locals } = res;
    const address = clientAddressOf(req, trustedProxies); // the connection may be gone when the line is written
    locals.requestId = toRequestId(req.headers["x-request-id"]);
    res.setHeader("X-Request-Id", locals.requestId);
    res.setHeader("Cache-Control", safeHeaders["Cache-Control"]);
    res.setHeader("X-Content-Type-Options", safeHeaders["X-Content-Type-Options"]);
    res.once("close", () => {
      const { method, tsRestRoute } = req;
      const path = tsRestRoute?.path ?? locals.route;
      const route = path === undefined ? undefined : pathTemplate(path);
      const status = res.headersSent ? res.statusCode : undefined;
      const durationMs = performance.now() - startedAt;
      const { requestId, errorCode, storeFailure, apiKey, keyId, petId } = locals;
      const isDeprecated = tsRestRoute !== undefined && metadataOf(req).deprecation !== undefined;
      metrics.requestEnds({
        method,
        route,
        status,
        durationMs,
        errorCode,
        storeFailure,
        keyId: apiKey?.id,
        isDeprecated,
      });
      log.info(
        {
          requestId,
          ...traceOf(req),
          method,
          route,
          status,
          code: errorCode,
          ms: Math.round(durationMs * 1000) / 1000,
          keyId,
          petId,
          ...address,
          // The client went away before it had the whole answer.
          aborted: res.writableFinished ? undefined : true,
        },
        "request",
      );
    });
    next();
  };
}

/** The trace that the request belongs to, and the span that it was sent in (W3C Trace Context). */
export function traceOf({ headers, rawHeaders }: IncomingMessage): { traceId?: string; parentSpanId?: string } {
  const { traceparent } = headers;
  if (typeof traceparent !== "string" || countHeader(rawHeaders, "traceparent") > 1) return {};
  const [, version, traceId = "", parentSpanId = "", rest] = traceparentPattern.exec(traceparent) ?? [];
  const isValid = version !== undefined && version !== "ff" && (version !== "00" || rest === undefined);
  return isValid && /[^0]/.test(traceId) && /[^0]/.test(parentSpanId) ? { traceId, parentSpanId } : {};
}

/** Versions behind 00 may have more behind the flags. */
const traceparentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** The caller's id if it cannot harm a log and holds no API key, otherwise a new one. */
export function toRequestId(given: unknown): string {
  const isGood = typeof given === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(given) && !keyStart.test(given);
  return isGood ? given : randomUUID();
}

/** Of a key that was sent in the wrong header, perhaps cut or with its letters changed. */
const keyStart = /pst_(?:live|test)_/i;

/** The facts of the contract about the operation that was asked for. Only for what runs behind ts-rest's matching. */
export function metadataOf({ tsRestRoute }: Request): OperationMetadata {
  if (tsRestRoute === undefined) throw new Error("No operation has been matched yet");
  return tsRestRoute.metadata as OperationMetadata;
}

/** Undoes Node's joining of repeated idempotency keys into one, for the contract to refuse them. */
export const separateRepeatedKeys: RequestHandler = (req, _res, next) => {
  const name = "idempotency-key";
  if (req.headers[name] !== undefined && countHeader(req.rawHeaders, name) > 1) {
    req.headers[name] = req.headersDistinct[name];
  }
  next();
};

/** How often a header was sent. Node keeps only the first of those that may come once. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const each = rawHeaders[index];
    if (each?.length === name.length && each.toLowerCase() === name) count++;
  }
  return count;
}
