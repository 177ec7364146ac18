import type { Scope } from "@petstore/contract/metadata";
import { Refusal } from "./refusal.ts";
import type { ApiKey } from "./store.ts";

/**
 * The API key in an `Authorization` header (RFC 6750); `undefined` when it is malformed.
 *
 * @throws {Refusal} 401 when the header has no Bearer credentials
 */
export function bearerOf(authorization: string): string | undefined {
  if (!bearerScheme.test(authorization)) throw new Refusal("missing_api_key");
  return /^bearer +(\S+)$/i.exec(authorization)?.[1];
}

/** The authentication scheme, as a whole token (RFC 9110, section 11.4). */
const bearerScheme = /^bearer(?![\w!#$%&'*+.^`|~-])/i;

/** Whether a key is active at the time `now`, and if not, why. */
export function keyState({ revokedAt, expiresAt = Infinity }: ApiKey, now: number): "active" | "revoked" | "expired" {
  if (revokedAt !== undefined) return "revoked";
  return now >= expiresAt ? "expired" : "active";
}

/** @throws {Refusal} 403 when the key lacks the scope. Call this after the rate limit, so that these requests count too. */
export function checkScope({ scopes }: ApiKey, scope: Scope): void {
  if (!scopes.includes(scope)) throw new Refusal("insufficient_scope", scope);
}
