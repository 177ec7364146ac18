import type { Deprecation, Operation } from "@petstore/contract/operations";
import { Refusal } from "./refusal.ts";

/** The headers that announce the end of a deprecated operation, on each of its responses (RFC 9745, RFC 8594). */
export function announcementOf({ deprecation }: Operation): Readonly<Record<string, string>> {
  return deprecation ? detailsOf(deprecation).headers : none;
}

/** @throws {Refusal} 410 once the sunset of an operation has come. */
export function checkSunset({ deprecation }: Operation, now: number): void {
  if (deprecation && isOver(deprecation, now))
    throw new Refusal("operation_removed", deprecation.successor.description);
}

export function isOver(deprecation: Deprecation, now: number): boolean {
  return now >= detailsOf(deprecation).endsAt;
}

const none: Readonly<Record<string, string>> = {};

/** Made once for each operation: dates take long to parse and to format. */
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
