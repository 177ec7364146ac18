import type { IncomingMessage, ServerResponse } from "node:http";
import type { NextFunction } from "express";
import type { FramedRequest } from "../http/framing.ts";
import type { ErrorHandler } from "./error-handlers.ts";
import { createOverloadRejection } from "./overload.ts";
import { stateOf } from "./request.ts";

export type Handler = (req: IncomingMessage, res: ServerResponse, next: NextFunction) => void;

/**
 * Rejects requests that violate HTTP, and those for which the store has no room, before anything
 * else looks at them. Runs after routing, so that their log lines have the route.
 */
export function rejectEarly(isBusy: () => boolean, handleError: ErrorHandler): Handler {
  const rejectForOverload = createOverloadRejection();
  return (req, res, next) => {
    const { problem } = req as FramedRequest;
    if (problem) handleError(res, problem);
    else if (stateOf(res).operation !== undefined && isBusy()) rejectForOverload(res);
    else next();
  };
}
