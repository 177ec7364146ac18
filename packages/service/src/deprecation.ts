import type { Operation } from "@petstore/contract/contract";
import type { Deprecation } from "@petstore/contract/metadata";
import { HttpError } from "./http-error.ts";

/** The headers on every response of a deprecated operation (RFC 9745, RFC 8594); none for other operations. */
export function deprecationHeaders({ metadata: { deprecation } }: Operation): Readonly<Record<string, string>> {
  return deprecation ? detailsOf(deprecation).headers : none;
}

/** @throws {HttpError} 410 if the operation has been removed */
export function checkSunset({ metadata: { deprecation } }: Operation, now: number): void {
  if (deprecation && isRemoved(deprecation, now))
    throw new HttpError("operation_removed", deprecation.successor.description);
}

export function isRemoved(deprecation: Deprecation, now: number): boolean {
  return now >= detailsOf(deprecation).endsAt;
}

const none: Readonly<Record<string, string>> = {};

/** Cached for each operation, because dates are slow to parse and format. */
const details = new WeakMap<Deprecation, ReturnType<typeof describe>>();

function detailsOf(deprecation: Deprecation) {
  let known = details.get(deprecation);
  if (known === undefined) details.set(deprecation, (known = describe(deprecation)));
  return known;
}

function describe({ since, sunset, successor }: Deprecation) {
  const headers: Readonly<Record<string, string>> = {
    Deprecation: `@${Date.parse(since) / 1000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: `<${successor.reference}>; rel="successor-version"`,
  };
  return { headers, endsAt: Date.parse(sunset) };
}
