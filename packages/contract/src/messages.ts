import { petStatuses } from "./fields.ts";
import {
  batchRule,
  choiceRule,
  idempotencyKeyRule,
  pageLimitRule,
  reservedIds,
  textRule,
} from "./rules.ts";

/** The rules of values as phrases. Error messages put them after the name of the field. */
export const expected = {
  object: "must be a JSON object",
  text: (max: number) => `must be a string of ${textRule(max)}`,
  int64: "must be an integer from -9223372036854775808 to 9223372036854775807",
  importedId: `must not be from ${reservedIds.minimum} to ${reservedIds.maximum}: these ids are reserved for new animals`,
  status: `must be ${choiceRule(petStatuses)}`,
  batch: `must be ${batchRule}`,
  limit: `must be ${pageLimitRule}`,
  cursor: "must be a cursor from a Link header",
  idempotencyKey: `must be ${idempotencyKeyRule}`,
} as const;
