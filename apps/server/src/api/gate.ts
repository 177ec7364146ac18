import type { IncomingMessage, ServerResponse } from "node:http";
import { jsonType, unavailable } from "@petstore/service";
import type { NextFunction } from "express";
import type { FramedRequest } from "../http/framing.ts";
import { headersOf, sendContent } from "../http/respond.ts";
import type { ErrorHandler } from "./errors.ts";
import { stateOf } from "./request.ts";

export type Gate = (req: IncomingMessage, res: ServerResponse, next: NextFunction) => void;

/**
 * How long a rejected client waits for its response at most, in milliseconds. Its next request
 * would take time from those that are served.
 */
const holdMs = 700;

/**
 * Rejects requests that violate HTTP, and those for which the store has no room. Runs after
 * routing, so that their log lines have the route.
 */
export function createGate(isBusy: () => boolean, handleError: ErrorHandler): Gate {
  /** One timer for all: under overload, a timer for each would cost too much. */
  let held: ServerResponse[] = [];
  function rejectLater(res: ServerResponse): void {
    // counted even if the client leaves
    Object.assign(stateOf(res), { errorCode: "unavailable", storeFailure: "busy" });
    if (held.push(res) === 1) setTimeout(rejectHeld, holdMs).unref();
  }
  function rejectHeld(): void {
    const all = held;
    held = [];
    for (const res of all) {
      Object.assign(headersOf(res), unavailable.headers);
      res.statusCode = unavailable.status;
      sendContent(res, jsonType, unavailableBody);
    }
  }
  return (req, res, next) => {
    const { problem } = req as FramedRequest;
    if (problem) handleError(res, problem);
    // A rejection must be much cheaper than a response, or the server would do nothing but reject.
    else if (stateOf(res).operation !== undefined && isBusy()) rejectLater(res);
    else next();
  };
}

const unavailableBody = JSON.stringify(unavailable.body);
