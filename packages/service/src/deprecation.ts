import type { Deprecation, Operation } from "@petstore/contract/operations";
import { Refusal } from "./refusal.ts";

/** The headers that announce the end of a deprecated operation, on each of its responses (RFC 9745, RFC 8594). */
export function announcementOf({ deprecation }: Operation): Readonly<Record<string, string>> {
  if (deprecation === undefined) return none;
  const known = announcements.get(deprecation);
  if (known) return known;
  const { since, sunset, successor } = deprecation;
  const made = {
    Deprecation: `@${Date.parse(since) / 1000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: `<${successor.reference}>; rel="successor-version"`,
  };
  announcements.set(deprecation, made);
  return made;
}

/** @throws {Refusal} 410 once the sunset of an operation has come. */
export function checkSunset({ deprecation }: Operation, now: number): void {
  if (deprecation && isOver(deprecation, now))
    throw new Refusal("operation_removed", deprecation.successor.description);
}

export function isOver({ sunset }: Deprecation, now: number): boolean {
  return now >= Date.parse(sunset);
}

const none: Readonly<Record<string, string>> = {};

/** Made once for each operation: dates take long to parse and to format. */
const announcements = new WeakMap<Deprecation, Readonly<Record<string, string>>>();
