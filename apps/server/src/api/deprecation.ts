import type { Deprecation } from "@petstore/contract";
import type { RequestHandler } from "express";
import { Refusal } from "../refusal.ts";
import { metadataOf } from "./request.ts";

/** Announces the end of a deprecated operation on each of its answers, errors too (D9; RFC 9745, RFC 8594). */
export const announceDeprecation: RequestHandler = (req, res, next) => {
  const { deprecation } = metadataOf(req);
  if (deprecation) res.setHeaders(headersOf(deprecation));
  next();
};

/** The headers that announce the end of an operation. */
export const deprecationHeaders = ["Deprecation", "Sunset", "Link"] as const;

/** Made once for each operation: dates take long to parse and to format. */
const headers = new WeakMap<Deprecation, Map<string, string>>();

function headersOf(deprecation: Deprecation): Map<string, string> {
  const known = headers.get(deprecation);
  if (known) return known;
  const { since, sunset, successor } = deprecation;
  const made = new Map<(typeof deprecationHeaders)[number], string>([
    ["Deprecation", `@${Date.parse(since) / 1000}`],
    ["Sunset", new Date(sunset).toUTCString()],
    ["Link", `<${successor.reference}>; rel="successor-version"`],
  ]);
  headers.set(deprecation, made);
  return made;
}

/** Answers 410 once the sunset of an operation has come. */
export function enforceSunset(now: () => number): RequestHandler {
  return (req, _res, next) => {
    const { deprecation } = metadataOf(req);
    if (deprecation && now() >= Date.parse(deprecation.sunset)) {
      const { description } = deprecation.successor;
      throw new Refusal("operation_removed", `This operation has been removed. Use ${description} instead.`);
    }
    next();
  };
}
