import { fileURLToPath } from "node:url";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { pino } from "pino";

/** The part of the OpenAPI document that Prism reads. */
export async function readOperations() {
  return await getHttpOperationsFromSpec(
    fileURLToPath(new URL("../../../packages/contract/openapi.json", import.meta.url)),
  );
}

/** Prism as a validating proxy that forwards everything. */
export function proxyTo(url: string) {
  return {
    isProxy: true,
    upstream: new URL(url),
    upstreamProxy: undefined,
    checkSecurity: true,
    validateRequest: true,
    validateResponse: true,
    errors: false,
    mock: { dynamic: false },
  } as const;
}

export const silentLogger = pino({ level: "silent" });
