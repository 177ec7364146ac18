import type { ErrorCode } from "@petstore/contract/error-codes";
import { describeError, type ErrorBody } from "@petstore/contract/errors";
import type { Problem } from "@petstore/contract/problems";
import { StoreUnavailableError } from "./store.ts";

/** Thrown to reject a request with an error response. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param detail for the message of this code: see `errors` in the contract
   * @param overrides a message that replaces the usual one, and headers to add
   */
  constructor(
    code: ErrorCode,
    detail?: string,
    overrides: Partial<Pick<HttpError, "message" | "headers">> = {},
  ) {
    const { status, message, headers } = describeError(code, detail);
    super(overrides.message ?? message);
    this.code = code;
    this.status = status;
    this.headers = { ...headers, ...overrides.headers };
  }

  get body(): ErrorBody {
    const { code, message, status } = this;
    return { code, message, status };
  }
}

/** How a message names each part of a request. */
const places = { params: "path ", query: "query ", headers: "header ", body: "" };

export type RequestPart = keyof typeof places;

/**
 * The error for a request with invalid parts. The message names each field once, and never repeats
 * the sent value.
 */
export function invalidRequest(
  parts: Partial<Record<RequestPart, readonly Problem[] | undefined>>,
): HttpError {
  const problems = new Map<string, string>();
  for (const [part, place] of Object.entries(places)) {
    for (const { field, must } of parts[part as RequestPart] ?? []) {
      const name = field === "" ? `the ${place.trim() || "body"}` : place + field;
      if (!problems.has(name)) problems.set(name, `${name} ${must}`);
    }
  }
  return new HttpError("invalid_request", [...problems.values()].join("; "));
}

// Created once: it is the most frequent response under overload, and errors are slow to create.
export const unavailable = new HttpError("unavailable");

/** The error response for anything that was thrown. */
export function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  return error instanceof StoreUnavailableError ? unavailable : new HttpError("internal_error");
}
