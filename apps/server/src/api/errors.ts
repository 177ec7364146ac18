import { errorStatuses } from "@petstore/contract";
import { RequestValidationError } from "@ts-rest/express";
import type { ErrorRequestHandler } from "express";
import type { Logger } from "pino";
import { errorBody, Refusal } from "../refusal.ts";
import { StoreUnavailableError } from "../store/store.ts";

/** Turns everything that can go wrong into an Error body. The last middleware, and the only one of its kind. */
export function answerErrors(log: Logger): ErrorRequestHandler {
  return (error: unknown, _req, res, _next) => {
    const refusal = toRefusal(error);
    const { locals } = res;
    locals.errorCode = refusal.code;
    if (refusal === internalError) log.error({ requestId: locals.requestId, err: error }, "request failed");
    else if (error instanceof StoreUnavailableError) {
      locals.storeFailure = error.reason;
      // Under overload the service has better things to do than to say so twice.
      if (error.reason !== "busy")
        log.warn({ requestId: locals.requestId, reason: error.message }, "store unavailable");
    }
    // Too late for another answer: cut this one short, so that the client sees that it is not whole.
    if (res.headersSent) res.destroy();
    else res.set(refusal.headers).status(errorStatuses[refusal.code]).json(errorBody(refusal.code, refusal.message));
  };
}

const internalError = new Refusal(
  "internal_error",
  "The service failed. The failure has been logged with the request id.",
);

// Made once: under overload it is the most frequent answer, and an error takes long to make.
export const unavailable = new Refusal("unavailable", "The service cannot answer right now. Try again shortly.", {
  "Retry-After": "1",
});

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof RequestValidationError) return new Refusal("invalid_request", describe(error));
  return error instanceof StoreUnavailableError ? unavailable : internalError;
}

/** Names each offending field once, with what was expected. Never repeats what was sent. */
function describe({ pathParams, query, headers, body }: RequestValidationError): string {
  const problems = new Map<string, string>();
  for (const [part, error] of Object.entries({ path: pathParams, query, header: headers, body })) {
    for (const { path, message } of (error as Issues | null)?.issues ?? []) {
      const field = (path ?? []).join(".");
      const name = field === "" ? `the ${part}` : part === "body" ? field : `${part} ${field}`;
      if (!problems.has(name)) problems.set(name, `${name} ${message}`);
    }
  }
  return `${[...problems.values()].join("; ")}.`;
}

/** What ts-rest wraps: the issues of a zod error. */
interface Issues {
  issues: readonly { path?: readonly PropertyKey[]; message: string }[];
}
