import type { ServerResponse } from "node:http";
import { jsonType, unavailable } from "@petstore/service";
import { headersOf, sendContent } from "../http/respond.ts";
import { stateOf } from "./request.ts";

/**
 * How long a rejected client waits for its response at most, in milliseconds. Its next request
 * would take time from those that are served.
 */
const holdMs = 700;

/**
 * Rejects requests while the store has no room. A rejection must be much cheaper than a response,
 * or the server would do nothing but reject.
 */
export function createOverloadRejection(): (res: ServerResponse) => void {
  /** One timer for all: under overload, a timer for each would cost too much. */
  let held: ServerResponse[] = [];
  function rejectHeld(): void {
    const all = held;
    held = [];
    for (const res of all) {
      Object.assign(headersOf(res), unavailable.headers);
      res.statusCode = unavailable.status;
      sendContent(res, jsonType, unavailableBody);
    }
  }
  return (res) => {
    // counted even if the client leaves
    Object.assign(stateOf(res), { errorCode: "unavailable", storeFailure: "busy" });
    if (held.push(res) === 1) setTimeout(rejectHeld, holdMs).unref();
  };
}

const unavailableBody = JSON.stringify(unavailable.body);
