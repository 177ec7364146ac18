import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isRequestId } from "@petstore/contract";
import { countHeader } from "./framing.ts";

/** The caller's id if it is valid, otherwise a new one. */
export function toRequestId(given: unknown): string {
  return isRequestId(given) ? given : randomUUID();
}

/** The trace of a request, and the span that sent it (W3C Trace Context). */
export function traceOf({ headers, rawHeaders }: IncomingMessage): {
  traceId?: string;
  parentSpanId?: string;
} {
  const { traceparent } = headers;
  if (typeof traceparent !== "string" || countHeader(rawHeaders, "traceparent") > 1) return {};
  const [, version, traceId = "", parentSpanId = "", rest] =
    traceparentPattern.exec(traceparent) ?? [];
  const isValid =
    version !== undefined && version !== "ff" && (version !== "00" || rest === undefined);
  return isValid && /[^0]/.test(traceId) && /[^0]/.test(parentSpanId)
    ? { traceId, parentSpanId }
    : {};
}

/** Versions above 00 may have more fields after the flags. */
const traceparentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
