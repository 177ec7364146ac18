import type { ServerResponse } from "node:http";
import { toProblems, type Problem } from "@petstore/contract";
import { invalidRequest, StoreUnavailableError, toHttpError } from "@petstore/service";
import { RequestValidationError } from "@ts-rest/express";
import type { Logger } from "pino";
import { sendError } from "../http/respond.ts";
import { stateOf } from "./request.ts";

/** Responds with the Error body for anything that was thrown. */
export type ErrorHandler = (res: ServerResponse, error: unknown) => void;

/** What happens with errors. */
export interface ErrorHandlers {
  handleError: ErrorHandler;
  /** Logs an error that is a bug. */
  reportBug: (error: unknown, requestId: string) => void;
}

export function createErrorHandlers(log: Logger): ErrorHandlers {
  const reportBug: ErrorHandlers["reportBug"] = (err, requestId) =>
    log.error({ requestId, err }, "request failed");
  const handleError: ErrorHandler = (res, error) => {
    const state = stateOf(res);
    const httpError = toHttpError(
      error instanceof RequestValidationError ? describe(error) : error,
    );
    state.errorCode = httpError.code;
    if (httpError.code === "internal_error") reportBug(error, state.id);
    else if (error instanceof StoreUnavailableError) {
      state.storeFailure = error.reason;
      // Not under overload: the request's own log line is enough.
      if (error.reason !== "busy")
        log.warn({ requestId: state.id, reason: error.message }, "store unavailable");
    }
    // Too late for another response. Cut this one short, so that the client notices that it is
    // incomplete.
    if (res.headersSent) res.destroy();
    else sendError(res, httpError);
  };
  return { handleError, reportBug };
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
