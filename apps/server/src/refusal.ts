import { errorStatuses, type ErrorBody, type ErrorCode } from "@petstore/contract";

/** A request that is answered with an error. Thrown by whatever finds out first. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}

export function errorBody(code: ErrorCode, message: string): ErrorBody {
  return { code, message, status: errorStatuses[code] };
}
