import { randomUUID } from "node:crypto";
import type { OperationMetadata } from "@petstore/contract";
import type { AppRoute } from "@ts-rest/core";
import type { Request, RequestHandler } from "express";
import type { Logger } from "pino";
import type { ApiKey } from "../store/store.ts";

declare global {
  namespace Express {
    /** What the edge knows about a request. */
    interface Locals {
      requestId: string;
      /** The path template, once it is known. */
      route?: string;
      /** Who asks, once authenticated. */
      apiKey?: ApiKey;
    }
    interface Request {
      /** Set by ts-rest before anything of ours runs for an operation. */
      tsRestRoute?: AppRoute;
    }
  }
}

/** Headers of every answer, whoever writes it (D17). */
export const safeHeaders = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/** Gives each request an id, and a line in the log when it is over (D15). */
export function trackRequests(log: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const requestId = toRequestId(req.headers["x-request-id"]);
    res.locals.requestId = requestId;
    res.setHeader("X-Request-Id", requestId);
    res.setHeader("Cache-Control", safeHeaders["Cache-Control"]);
    res.setHeader("X-Content-Type-Options", safeHeaders["X-Content-Type-Options"]);
    res.once("close", () => {
      log.info(
        {
          requestId,
          method: req.method,
          route: req.tsRestRoute?.path ?? res.locals.route,
          status: res.headersSent ? res.statusCode : undefined,
          ms: Math.round((performance.now() - startedAt) * 1000) / 1000,
          keyId: res.locals.apiKey?.id,
          // The client went away before it had the whole answer.
          aborted: res.writableFinished ? undefined : true,
        },
        "request",
      );
    });
    next();
  };
}

/** The caller's id if it cannot harm a log, otherwise a new one. */
export function toRequestId(given: unknown): string {
  return typeof given === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
}

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
