import type { ServerResponse } from "node:http";
import { toProblems, type Problem } from "@petstore/contract";
import { invalidRequest, StoreUnavailableError, toRefusal } from "@petstore/service";
import { RequestValidationError } from "@ts-rest/express";
import type { Logger } from "pino";
import { sendRefusal } from "../http/respond.ts";
import { stateOf } from "./request.ts";

/** Turns any error into an Error body. */
export type Refuse = (res: ServerResponse, error: unknown) => void;

export function refuseWith(log: Logger): Refuse {
  return (res, error) => {
    const state = stateOf(res);
    const refusal = toRefusal(error instanceof RequestValidationError ? describe(error) : error);
    state.errorCode = refusal.code;
    if (refusal.code === "internal_error") log.error({ requestId: state.id, err: error }, "request failed");
    else if (error instanceof StoreUnavailableError) {
      state.storeFailure = error.reason;
      // Not under overload: the request's own log line is enough.
      if (error.reason !== "busy") log.warn({ requestId: state.id, reason: error.message }, "store unavailable");
    }
    // Too late for another response. Cut this one short, so that the client notices that it is incomplete.
    if (res.headersSent) res.destroy();
    else sendRefusal(res, refusal);
  };
}

function describe({ pathParams, query, headers, body }: RequestValidationError): Error {
  return invalidRequest({
    params: problems(pathParams),
    query: problems(query),
    headers: problems(headers),
    body: problems(body),
  });
}

/** The issues of a zod error that ts-rest has wrapped. */
function problems(error: unknown): Problem[] {
  const { issues = [] } = (error ?? {}) as { issues?: { path?: PropertyKey[]; message: string }[] };
  return toProblems(issues);
}
