import type { Operation } from "@petstore/contract/contract";
import { isRemoved } from "./deprecation.ts";
import { HttpError } from "./http-error.ts";
import { andThen, type MaybePromise } from "./maybe-promise.ts";
import { keyState, type ApiKey } from "./store.ts";

/** What a transport provides to identify callers. */
export interface Callers {
  /** Milliseconds since 1970. */
  now(this: void): number;
  findKey(this: void, secret: string): MaybePromise<ApiKey | undefined>;
  /** Called before an invalid key is rejected, to slow down guessing. */
  beforeRejection?(this: void): MaybePromise<void>;
  /**
   * Counts a request. Returns the milliseconds to wait when the caller is over the rate limit,
   * otherwise `undefined`.
   */
  countRequest?(this: void, caller: ApiKey): MaybePromise<number | undefined>;
}

// Created once: errors are slow to create, and many callers may guess keys.
const invalidKey = new HttpError("invalid_api_key");

/**
 * Identifies the caller and checks that it may call the operation. Needs only the `Authorization`
 * header.
 * @throws {HttpError} 401, 429, 403 or 410
 */
export function authorize(
  operation: Operation,
  authorization: string | undefined,
  { now, findKey, beforeRejection, countRequest }: Callers,
): MaybePromise<ApiKey> {
  const secret = bearerOf(authorization ?? "");
  return andThen(secret === undefined ? undefined : findKey(secret), (caller) => {
    if (caller === undefined || keyState(caller, now()) !== "active") {
      return andThen(beforeRejection?.(), () => {
        throw invalidKey;
      });
    }
    return andThen(countRequest?.(caller), (waitMs) => {
      checkRate(waitMs);
      const { scope, deprecation } = operation.metadata;
      if (!caller.scopes.includes(scope)) throw new HttpError("insufficient_scope", scope);
      if (deprecation && isRemoved(deprecation, now()))
        throw new HttpError("operation_removed", deprecation.successor.description);
      return caller;
    });
  });
}

/** @throws {HttpError} 429 if the caller must wait */
export function checkRate(waitMs: number | undefined): void {
  if (waitMs !== undefined)
    throw new HttpError("rate_limited", String(Math.max(1, Math.ceil(waitMs / 1000))));
}

/**
 * The API key in an `Authorization` header (RFC 6750); `undefined` when it is malformed.
 *
 * @throws {HttpError} 401 when the header has no Bearer credentials
 */
function bearerOf(authorization: string): string | undefined {
  if (!bearerCredentials.test(authorization)) throw new HttpError("missing_api_key");
  return /^bearer +(\S+)$/i.exec(authorization)?.[1];
}

/** The authentication scheme, as a whole token (RFC 9110, section 11.4), with anything after it. */
const bearerCredentials = /^bearer(?![\w!#$%&'*+.^`|~-])[ \t]*\S/i;

/** The headers of every response of an operation to a valid key. */
export function keyHeaders({ scopes }: ApiKey) {
  return { "Key-Scopes": scopes.join(", ") };
}
