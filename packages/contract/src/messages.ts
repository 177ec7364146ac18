import { maxNameLength, pageLimit, petStatuses, reservedIds } from "./values.ts";

/** What a value must be, as an Error's message says it behind the name of the field. Inlined by the fake of the client. */
export const expected = {
  object: "must be a JSON object",
  name: `must be text of 1 to ${maxNameLength} characters without U+0000 or lone surrogates`,
  int64: "must be an integer from -9223372036854775808 to 9223372036854775807",
  importedId: `must not be from ${reservedIds.minimum} to ${reservedIds.maximum}: these ids are kept for new animals`,
  status: `must be one of ${petStatuses.join(", ")}`,
  limit: `must be a whole number from ${pageLimit.minimum} to ${pageLimit.maximum}`,
  cursor: "must be a cursor from a Link header",
  idempotencyKey: "must be 1 to 255 printable ASCII characters",
} as const;
