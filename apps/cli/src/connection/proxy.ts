import http from "node:http";
import { UsageError } from "../failure/failure.ts";
import type { Terminal } from "../types.ts";

/**
 * Lets Node send requests through the proxy of `HTTPS_PROXY` or `HTTP_PROXY`, except to `NO_PROXY`.
 * @throws {UsageError} if a variable is not an address
 */
export function useProxy({ environment }: Terminal): void {
  try {
    http.setGlobalProxyFromEnv(environment);
  } catch {
    // Does not show the value: it may have a password.
    throw new UsageError("HTTPS_PROXY and HTTP_PROXY must be addresses like http://host:port", "Correct or unset them");
  }
}
