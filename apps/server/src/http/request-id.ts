import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { countHeader } from "./framing.ts";

/** The caller's id if it cannot harm a log and holds no API key, otherwise a new one. */
export function toRequestId(given: unknown): string {
  const isGood = typeof given === "string" && /^[A-Za-z0-9._-]{1,64}$/.test(given) && !keyStart.test(given);
  return isGood ? given : randomUUID();
}

/** Of a key that was sent in the wrong header, perhaps cut or with its letters changed. */
const keyStart = /pst_(?:live|test)_/i;

/** The trace that a request belongs to, and the span that it was sent in (W3C Trace Context). */
export function traceOf({ headers, rawHeaders }: IncomingMessage): { traceId?: string; parentSpanId?: string } {
  const { traceparent } = headers;
  if (typeof traceparent !== "string" || countHeader(rawHeaders, "traceparent") > 1) return {};
  const [, version, traceId = "", parentSpanId = "", rest] = traceparentPattern.exec(traceparent) ?? [];
  const isValid = version !== undefined && version !== "ff" && (version !== "00" || rest === undefined);
  return isValid && /[^0]/.test(traceId) && /[^0]/.test(parentSpanId) ? { traceId, parentSpanId } : {};
}

/** Versions behind 00 may have more behind the flags. */
const traceparentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
