import type { RequestHandler } from "express";
import { Refusal } from "./errors.ts";
import { metadataOf } from "./request.ts";

/** Announces the end of a deprecated operation on each of its answers, errors too (D9; RFC 9745, RFC 8594). */
export const announceDeprecation: RequestHandler = (req, res, next) => {
  const { deprecation } = metadataOf(req);
  if (deprecation) {
    res.setHeader("Deprecation", `@${Date.parse(deprecation.since) / 1000}`);
    res.setHeader("Sunset", new Date(deprecation.sunset).toUTCString());
    res.setHeader("Link", `<${deprecation.successor.reference}>; rel="successor-version"`);
  }
  next();
};

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
