import { describeError, type ErrorBody, type ErrorCode } from "@petstore/contract/errors";
import type { Problem } from "@petstore/contract/fields";
import { StoreUnavailableError } from "./store.ts";

/** A request that is refused with an error. Thrown by whatever finds out first. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param fact what the message of this code is about: see `errors` of the contract
   * @param particulars a message in place of the usual one, and headers beside the usual ones
   */
  constructor(code: ErrorCode, fact?: string, particulars: Partial<Pick<Refusal, "message" | "headers">> = {}) {
    const { status, message, headers } = describeError(code, fact);
    super(particulars.message ?? message);
    this.code = code;
    this.status = status;
    this.headers = { ...headers, ...particulars.headers };
  }

  get body(): ErrorBody {
    const { code, message, status } = this;
    return { code, message, status };
  }
}

/** Where something wrong was found, in words. */
const places = { params: "path ", query: "query ", headers: "header ", body: "" };

export type RequestPart = keyof typeof places;

/** A request that is refused for what is wrong with its parts. Names each field once, and never repeats what was sent. */
export function invalidRequest(parts: Partial<Record<RequestPart, readonly Problem[] | undefined>>): Refusal {
  const problems = new Map<string, string>();
  for (const [part, place] of Object.entries(places)) {
    for (const { field, must } of parts[part as RequestPart] ?? []) {
      const name = field === "" ? `the ${place.trim() || "body"}` : place + field;
      if (!problems.has(name)) problems.set(name, `${name} ${must}`);
    }
  }
  return new Refusal("invalid_request", [...problems.values()].join("; "));
}

const internalError = new Refusal("internal_error");

// Made once: under overload it is the most frequent response, and an error takes long to make.
export const unavailable = new Refusal("unavailable");

/** What the caller is told about anything that was thrown. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return error instanceof StoreUnavailableError ? unavailable : internalError;
}
