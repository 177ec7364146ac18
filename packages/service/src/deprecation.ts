import type { Operation } from "@petstore/contract/contract";
import type { Deprecation } from "@petstore/contract/metadata";

/**
 * The headers on every response of a deprecated operation (RFC 9745, RFC 8594); none for other
 * operations.
 */
export function deprecationHeaders({
  metadata: { deprecation },
}: Operation): Readonly<Record<string, string>> {
  return deprecation ? noticeOf(deprecation).headers : none;
}

export function isRemoved(deprecation: Deprecation, now: number): boolean {
  return now >= noticeOf(deprecation).endsAt;
}

const none = {};

/** Made once for each: dates are slow to parse and to format. */
const notices = new WeakMap<Deprecation, ReturnType<typeof toNotice>>();

function noticeOf(deprecation: Deprecation) {
  let notice = notices.get(deprecation);
  if (notice === undefined) notices.set(deprecation, (notice = toNotice(deprecation)));
  return notice;
}

function toNotice({ since, sunset, successor }: Deprecation) {
  const headers: Readonly<Record<string, string>> = {
    Deprecation: `@${Date.parse(since) / 1000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: `<${successor.reference}>; rel="successor-version"`,
  };
  return { headers, endsAt: Date.parse(sunset) };
}
