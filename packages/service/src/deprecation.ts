import type { Operation } from "@petstore/contract/contract";
import type { Deprecation } from "@petstore/contract/metadata";

/** The headers on every response of a deprecated operation (RFC 9745, RFC 8594); none for other operations. */
export function deprecationHeaders({ metadata: { deprecation } }: Operation): Readonly<Record<string, string>> {
  if (!deprecation) return {};
  const { since, sunset, successor } = deprecation;
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: `<${successor.reference}>; rel="successor-version"`,
  };
}

export function isRemoved({ sunset }: Deprecation, now: number): boolean {
  return now >= Date.parse(sunset);
}
